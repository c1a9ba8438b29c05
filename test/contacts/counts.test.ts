import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertContact, insertRow } from '../support/rows.ts';

const operations = fc.array(
  fc.record({
    kind: fc.constantFrom('make', 'archive', 'delete', 'restore', 'share', 'join', 'leave'),
    flag: fc.boolean(),
    at: fc.nat(30),
    list: fc.nat(1),
  }),
  { minLength: 5, maxLength: 40 },
);

describe('totals that are kept', () => {
  let installation: TestInstallation;

  it('are those that counting would give, after any changes', async () => {
    installation = await testInstallation();
    const { app } = installation;
    const lists = [
      await insertRow(app, 'lists', { workspace_id: 1, name: 'a', created_at: app.clock.now() }),
      await insertRow(app, 'lists', { workspace_id: 1, name: 'b', created_at: app.clock.now() }),
    ];
    const ids: number[] = [];
    const act: Record<string, (id: number, flag: boolean, list: number) => Promise<unknown>> = {
      make: async () => ids.push(await insertContact(app)),
      archive: (id, flag) => app.db.query(sql`update contacts set is_archived = ${flag} where id = ${id}`),
      delete: (id) => app.db.query(sql`update contacts set deleted_at = ${app.clock.now()} where id = ${id}`),
      restore: (id) => app.db.query(sql`update contacts set deleted_at = null where id = ${id}`),
      share: (id, flag) => app.db.query(sql`update contacts set is_shared_to_all = ${flag} where id = ${id} or id = ${id + 1}`),
      join: (id, _, list) =>
        app.db.query(
          sql`insert into list_members (list_id, contact_id, added_at) values (${list}, ${id}, ${app.clock.now()}) on conflict do nothing`,
        ),
      leave: (id, _, list) => app.db.query(sql`delete from list_members where contact_id = ${id} and list_id = ${list}`),
    };
    await fc.assert(
      fc.asyncProperty(operations, async (steps) => {
        for (const { kind, flag, at, list } of steps) {
          const id = ids[at % Math.max(ids.length, 1)];
          if (id === undefined && kind !== 'make') continue;
          await act[kind]?.(id ?? 0, flag, lists[list] ?? 0);
        }
        const [wrong] = await app.db.query<{ contacts: number; lists: number }>(sql`
          select (select count(*)::int from (
              select workspace_id, is_archived, count(*)::int as n from contacts where deleted_at is null and is_shared_to_all group by 1, 2) t
            full join (select * from contact_counts where total <> 0) c using (workspace_id, is_archived) where t.n is distinct from c.total) as contacts,
            (select count(*)::int from (
              select m.list_id, count(*)::int as n from list_members m join contacts k on k.id = m.contact_id and k.deleted_at is null group by 1) t
            full join (select * from list_counts where total <> 0) c using (list_id) where t.n is distinct from c.total) as lists`);
        expect(wrong).toEqual({ contacts: 0, lists: 0 });
      }),
      { numRuns: 40, seed: 5 },
    );
  }, 60_000);
});
