import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { archiveContact, deleteContact, unarchiveContact } from '../../src/campaigns/index.ts';
import { addMembers, changeContact, createContact, getList, listContacts, listMembers, removeMember } from '../../src/contacts/index.ts';
import { OutreachError } from '../../src/core/errors.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member, workspace } from '../support/people.ts';
import { insertContact, insertList } from '../support/rows.ts';
import { runs } from '../support/runs.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
let app: App;
let run: (text: string) => Promise<unknown>;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  run = (text) => app.db.pool.query(text);
});

/** Finds stored totals that differ from a count of the rows. */
const wrongTotals = () =>
  app.db.query(sql`
    select workspace_id, is_archived, t.counted, c.total
    from (select workspace_id, is_archived, count(*)::int as counted from contacts where deleted_at is null group by 1, 2) t
    full join (select * from contact_counts where total <> 0) c using (workspace_id, is_archived) where t.counted is distinct from c.total`);

const change = fc.record({
  kind: fc.constantFrom('insert', 'archive', 'delete', 'restore', 'share', 'move', 'rename'),
  flag: fc.boolean(),
  /** Selects the contacts with this remainder of five. One statement changes them all. */
  remainder: fc.nat(4),
});

describe('totals that are kept', () => {
  it('are those that counting gives, after any statements over many rows, in two workspaces', async () => {
    const [one, two] = [1, await workspace(app)];
    let batch = 0;
    const statements = ({ flag, remainder }: { flag: boolean; remainder: number }): Record<string, string> => ({
      insert: `insert into contacts (workspace_id, email, is_archived, is_shared_to_all, deleted_at, created_at, updated_at)
        select case when i % 3 = 0 then ${two} else ${one} end, 'batch-${++batch}-' || i || '@x.example', i % 4 = 0, i % 5 <> 0,
          case when i % 7 = 0 then now() end, now(), now() from generate_series(1, ${remainder * 3}) i`,
      archive: `update contacts set is_archived = ${flag} where id % 5 = ${remainder}`,
      delete: `update contacts set deleted_at = now() where id % 5 = ${remainder}`,
      restore: `update contacts set deleted_at = null where id % 5 = ${remainder}`,
      share: `update contacts set is_shared_to_all = ${flag}, deleted_at = case when id % 2 = 0 then now() end where id % 5 = ${remainder}`,
      move: `update contacts set workspace_id = ${flag ? one : two}, is_archived = ${flag} where id % 5 = ${remainder} and deleted_at is null`,
      rename: `update contacts set name = 'x' where id % 5 = ${remainder}`,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 30 }), async (changes) => {
        for (const { kind, ...how } of changes) await run(statements(how)[kind] ?? '');
        expect(await wrongTotals()).toEqual([]);
      }),
      { numRuns: runs(10, 30), seed: 5 },
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

  it("a list's number of contacts is that of the live ones on it, the same for everybody", async () => {
    const people = await Promise.all([member(app, 'admin'), member(app, 'manager')]);
    const ids = [];
    for (const given of [{}, { is_archived: true }, { is_shared_to_all: false }, { deleted_at: app.clock.now() }])
      ids.push(await insertContact(app, given));
    const list = await insertList(app, ids);
    for (const { id } of people) {
      const caller = { ...installation.caller, userId: id, role: id === people[0]?.id ? ('admin' as const) : ('manager' as const) };
      expect(await getList(app.db, caller, list)).toMatchObject({ contact_count: 3 });
      const { pagination } = await listMembers(app.db, caller, list, { limit: 50, offset: 0 });
      expect(pagination.total).toBe(caller.role === 'admin' ? 3 : 2);
    }
  });
});

describe('totals under changes at the same time', () => {
  const CHANGES: Record<string, (contact: number) => string> = {
    delete: (contact) => `update contacts set deleted_at = now() where id = ${contact}`,
    restore: (contact) => `update contacts set deleted_at = null where id = ${contact}`,
    archive: (contact) => `update contacts set is_archived = true where id = ${contact}`,
  };

  const isBlocked = async (pid: number): Promise<boolean> => {
    const rows = await app.db.query(sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`);
    return rows.length > 0;
  };

  it.each([
    ['archive', 'delete'],
    ['delete', 'archive'],
    ['delete', 'delete'],
    ['archive', 'restore'],
    ['restore', 'archive'],
    ['restore', 'restore'],
  ])('%s, not yet committed, and %s of one contact', async (first, second) => {
    const contact = await insertContact(app, [first, second].includes('restore') ? { deleted_at: app.clock.now() } : {});
    const [one, two] = await Promise.all([app.db.pool.connect(), app.db.pool.connect()]);
    try {
      const [{ pid }] = (await two.query('select pg_backend_pid() as pid')).rows as [{ pid: number }];
      await one.query('begin');
      await one.query(CHANGES[first]?.(contact) ?? '');
      let isDone = false;
      const other = two.query(CHANGES[second]?.(contact) ?? '').then(() => {
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
