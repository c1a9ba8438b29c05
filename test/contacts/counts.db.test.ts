import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { archiveContact, deleteContact, unarchiveContact } from '../../src/campaigns/index.ts';
import { addMembers, changeContact, createContact, listContacts, listMembers, removeMember } from '../../src/contacts/index.ts';
import { OutreachError } from '../../src/core/errors.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { install } from '../../src/main/install.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member, workspace } from '../support/people.ts';
import { planRows } from '../support/plan-rows.ts';
import { startPostgres } from '../support/postgres.ts';
import { insertContact, insertList } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
let app: App;
let run: (text: string) => Promise<unknown>;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  run = (text) => app.db.pool.query(text);
});

/** Kept totals that counting would not give, of contacts and of lists, and kept sets of contacts with another content or with others created outside of its bounds. */
async function wrongTotals(): Promise<unknown[]> {
  return app.db.query(sql`
    select 'contacts' as what, workspace_id as id, t.counted, c.total from (
      select workspace_id, is_archived, case when is_shared_to_all then 0 else coalesce(created_by, -1) end as audience, count(*)::int as counted
      from contacts where deleted_at is null group by 1, 2, 3) t
    full join (select * from contact_counts where total <> 0) c using (workspace_id, is_archived, audience) where t.counted is distinct from c.total
    union all
    select 'list', list_id, t.counted, c.total from (
      select m.list_id, case when k.is_shared_to_all then 0 else coalesce(k.created_by, -1) end as audience, count(*)::int as counted
      from list_members m join contacts k on k.id = m.contact_id and k.deleted_at is null group by 1, 2) t
    full join (select * from list_counts where total <> 0) c using (list_id, audience) where t.counted is distinct from c.total
    union all
    select 'block', block, bit_count(t.contacts), bit_count(c.contacts) from (
      select workspace_id, is_archived, case when is_shared_to_all then 0 else coalesce(created_by, -1) end as audience, id / 1024 as block,
        bit_or(set_bit(B'0'::bit(1024), id % 1024, 1)) as contacts, min(created_at) as first, max(created_at) as last
      from contacts where deleted_at is null group by 1, 2, 3, 4) t
    full join (select * from contact_blocks where bit_count(contacts) > 0) c using (workspace_id, is_archived, audience, block)
    where t.contacts is distinct from c.contacts or t.first < c.created_from or t.last > c.created_to`);
}

const change = fc.record({
  kind: fc.constantFrom('insert', 'archive', 'delete', 'restore', 'share', 'join', 'leave', 'rename', 'redate'),
  flag: fc.boolean(),
  /** Which contacts: those with this remainder of five. One statement changes them all. */
  remainder: fc.nat(4),
  list: fc.nat(2),
});

describe('totals that are kept', () => {
  it('are those that counting gives, after any statements over many rows, in two workspaces', async () => {
    const [one, two] = [1, await workspace(app)];
    const lists = [await insertList(app), await insertList(app), await insertList(app, [], { workspace_id: two })];
    let batch = 0;
    const statements = ({ flag, remainder, list }: { flag: boolean; remainder: number; list: number }): Record<string, string> => ({
      insert: `insert into contacts (workspace_id, email, is_archived, is_shared_to_all, deleted_at, created_at, updated_at)
        select case when i % 3 = 0 then ${two} else ${one} end, 'batch-${++batch}-' || i || '@x.example', i % 4 = 0, i % 5 <> 0,
          case when i % 7 = 0 then now() end, now(), now() from generate_series(1, ${remainder * 3}) i`,
      archive: `update contacts set is_archived = ${flag} where id % 5 = ${remainder}`,
      delete: `update contacts set deleted_at = now() where id % 5 = ${remainder}`,
      restore: `update contacts set deleted_at = null where id % 5 = ${remainder}`,
      share: `update contacts set is_shared_to_all = ${flag}, deleted_at = case when id % 2 = 0 then now() end where id % 5 = ${remainder}`,
      join: `insert into list_members select ${lists[list]}, id, now() from contacts where id % 5 = ${remainder} on conflict do nothing`,
      leave: `delete from list_members where list_id = ${lists[list]} and contact_id % 5 = ${remainder}`,
      rename: `update contacts set name = 'x' where id % 5 = ${remainder}`,
      redate: `update contacts set created_at = created_at + interval '1 day' * (id % 3 - 1), is_archived = is_archived or ${flag} where id % 5 = ${remainder}`,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 30 }), async (changes) => {
        for (const { kind, ...how } of changes) await run(statements(how)[kind] ?? '');
        expect(await wrongTotals()).toEqual([]);
      }),
      { numRuns: 30, seed: 5 },
    );
  }, 60_000);

  it('agree with what a caller is shown, whoever asks', async () => {
    const people = await Promise.all([member(app, 'admin'), member(app, 'manager'), member(app, 'manager')]);
    const list = await insertList(app);
    for (let index = 0; index < 40; index++) {
      const id = await insertContact(app, {
        is_archived: index % 3 === 0,
        is_shared_to_all: index % 2 === 0,
        created_by: people[index % 3]?.id,
      });
      if (index % 4 !== 0) await run(`insert into list_members values (${list}, ${id}, now())`);
      if (index % 5 === 0)
        await run(`insert into shares (workspace_id, resource_type, resource_id, user_id, granted_at)
          values (1, 'contacts', ${id}, ${people[2]?.id}, now())`);
    }
    const everything = { limit: 1_000_000, offset: 0 };
    for (const [index, { id }] of people.entries()) {
      const caller = { ...installation.caller, userId: id, role: index === 0 ? ('admin' as const) : ('manager' as const) };
      const pages = [
        await listContacts(app.db, caller, { archived: false }, everything),
        await listContacts(app.db, caller, { archived: true }, everything),
        await listContacts(app.db, caller, { archived: false, list_id: list }, everything),
        await listMembers(app.db, caller, list, everything),
      ];
      expect(pages.map((page) => page.pagination.total)).toEqual(pages.map((page) => page.data.length));
      expect(pages.every((page) => page.data.length > 0)).toBe(true);
    }
  });
});

describe('totals under changes at the same time', () => {
  const CHANGES: Record<string, (contact: number, list: number) => string> = {
    delete: (contact) => `update contacts set deleted_at = now() where id = ${contact}`,
    restore: (contact) => `update contacts set deleted_at = null where id = ${contact}`,
    join: (contact, list) => `insert into list_members values (${list}, ${contact}, now())`,
    leave: (contact, list) => `delete from list_members where contact_id = ${contact} and list_id = ${list}`,
  };

  const isBlocked = async (pid: number): Promise<boolean> => {
    const rows = await app.db.query(sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`);
    return rows.length > 0;
  };

  it.each([
    ['join', 'delete'],
    ['delete', 'join'],
    ['leave', 'delete'],
    ['delete', 'leave'],
    ['join', 'restore'],
    ['restore', 'join'],
    ['leave', 'restore'],
    ['restore', 'leave'],
  ])('%s, not yet committed, and %s of one contact', async (first, second) => {
    const contact = await insertContact(app, [first, second].includes('restore') ? { deleted_at: app.clock.now() } : {});
    const list = await insertList(app, [first, second].includes('leave') ? [contact] : []);
    const [one, two] = await Promise.all([app.db.pool.connect(), app.db.pool.connect()]);
    try {
      const [{ pid }] = (await two.query('select pg_backend_pid() as pid')).rows as [{ pid: number }];
      await one.query('begin');
      await one.query(CHANGES[first]?.(contact, list) ?? '');
      let isDone = false;
      const other = two.query(CHANGES[second]?.(contact, list) ?? '').then(() => {
        isDone = true;
      });
      await waitUntil('the second is done or waits for the first', async () => isDone || (await isBlocked(pid)));
      await one.query('commit');
      await other;
    } finally {
      one.release();
      two.release();
    }
    expect(await wrongTotals()).toEqual([]);
  });

  it('a thousand changes of few contacts by ten at once: none fails for a deadlock, and every total is exact', async () => {
    const { caller } = installation;
    const random = seededRandom(11);
    const lists = [await insertList(app), await insertList(app)];
    const ids = await Promise.all(Array.from({ length: 8 }, () => insertContact(app)));
    const any = <Item>(items: readonly Item[]) => items[random.integer(0, items.length - 1)] as Item;
    let made = 0;
    const acts = [
      async () => ids.push((await createContact(app, caller, { email: `many-${made++}@x.example`, list_ids: [...lists].reverse() })).id),
      () => archiveContact(app, caller, any(ids)),
      () => unarchiveContact(app, caller, any(ids)),
      () => changeContact(app, caller, any(ids), { is_shared_to_all: random.integer(0, 1) === 1 }),
      () => addMembers(app, caller, any(lists), [any(ids), any(ids), any(ids)]),
      () => removeMember(app, caller, any(lists), any(ids)),
      () => deleteContact(app, caller, any(ids)),
      () => run(`update contacts set deleted_at = null where id = ${any(ids)}`),
    ];
    const worker = async () => {
      for (let turn = 0; turn < 100; turn++)
        await any(acts)().catch((error: unknown) => {
          if (!(error instanceof OutreachError && error.code === 'not_found')) throw error;
        });
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    expect(await wrongTotals()).toEqual([]);
  }, 60_000);
});

describe('a connection that planned when the tables were empty', () => {
  const CHANGED = 2_000;
  /** A look-up takes a few rows of a plan, reading a table or the other changes for each takes as many as there are. */
  const MOST_ROWS = 50 * CHANGED;

  it('counts bulk changes by a few rows each', async () => {
    // On the run's own server, no role may look at the plans of triggers.
    const { port } = await startPostgres();
    const { app } = await testInstallation({ databaseUrl: `postgres://tester:secret@localhost:${port}/postgres` });
    await install(app);
    const { pool } = app.db;
    const client = await pool.connect();
    const insertContacts = (count: number, mark: string) => `
      insert into contacts (workspace_id, email, created_at, updated_at)
      select 1, '${mark}-' || i || '@x.example', now(), now() from generate_series(1, ${count}) i`;
    const joinAll = 'insert into list_members select 1, id, now() from contacts on conflict do nothing';
    const leaveAll = 'delete from list_members';
    const deleteMost = 'update contacts set is_archived = true, deleted_at = case when id % 4 > 0 then now() end';
    const totals = async () =>
      (
        await client.query(
          'select (select sum(total)::int from contact_counts) as contacts, (select sum(total)::int from list_counts) as list',
        )
      ).rows;
    try {
      await client.query(`insert into lists (workspace_id, name, created_at) values (1, 'Bulk', now())`);
      await client.query(insertContacts(1, 'first'));
      await client.query('analyze contacts, list_members');
      for (let index = 0; index < 9; index++)
        for (const change of [insertContacts(1, `few-${index}`), joinAll, deleteMost, leaveAll]) await client.query(change);
      await client.query('update contacts set deleted_at = null');
      const rowsOf = await planRows(client);
      expect(await rowsOf(insertContacts(CHANGED - 10, 'bulk'))).toBeLessThan(MOST_ROWS);
      // By another connection: foreign keys have stale plans of their own, which this is not about.
      await pool.query(joinAll);
      expect(await totals()).toEqual([{ contacts: CHANGED, list: CHANGED }]);
      expect(await rowsOf(deleteMost)).toBeLessThan(MOST_ROWS);
      expect(await totals()).toEqual([{ contacts: CHANGED / 4, list: CHANGED / 4 }]);
      expect(await rowsOf(leaveAll)).toBeLessThan(MOST_ROWS);
      expect(await totals()).toEqual([{ contacts: CHANGED / 4, list: 0 }]);
    } finally {
      client.release(true);
    }
  });
});
