import { expect, it } from 'vitest';
import { prepared, type Queryable, sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { endedOf } from '../support/ended.ts';

const { app } = await testInstallation();
const { db } = app;
const client = (workspaceId: number) => db.forRequests({ workspaceId, countCharacters: () => undefined });

const PID = sql`select pg_backend_pid() as pid, pg_sleep(0.02)`;
const pidsOf = async (asked: (() => Promise<Record<string, unknown>[]>)[]) =>
  new Set((await Promise.all(asked.map((ask) => ask()))).map(([row]) => row?.pid));
const often = (ask: () => Promise<Record<string, unknown>[]>) => pidsOf(Array(20).fill(ask));

it('requests read on connections of their own; everything else shares the others', async () => {
  const requests = db.forRequests();
  const reads = await often(() => requests.query(PID));
  const prepareds = await often(() => requests.query(prepared('pid', PID)));
  const work = await pidsOf([
    ...Array(10).fill(() => db.query(PID)),
    ...Array(10).fill(() => db.tx((tx) => tx.query(PID))),
    ...Array(10).fill(() => requests.tx((tx) => tx.query(PID))),
    ...Array(10).fill(() => db.bulk((tx) => tx.query(PID))),
  ]);
  expect([reads.size, work.size]).toEqual([5, 10]);
  expect(prepareds).toEqual(reads);
  expect([...reads].filter((pid) => work.has(pid))).toEqual([]);
});

it('the requests of one workspace use half of the connections at most', async () => {
  expect((await often(() => client(1).query(PID))).size).toBe(3);
  expect((await often(() => client(1).tx((tx) => tx.query(PID)))).size).toBe(5);
});

it('a workspace whose statements wait for locks keeps no other one waiting, for reads or changes', async () => {
  const lock = sql`select pg_advisory_xact_lock(7)`;
  await db.tx(async (holder) => {
    await holder.query(lock);
    const waiting = Array.from({ length: 10 }, () => [client(1).query(lock), client(1).tx((tx) => tx.query(lock))]).flat();
    const ended = endedOf(waiting);
    const other = client(2);
    expect(await other.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    expect(await other.tx((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    expect(ended()).toBe(0);
    void Promise.allSettled(waiting);
  });
});

it('inside of a transaction one sees what was written there, and nobody else does', async () => {
  const name = (on: Queryable) => on.query<{ name: string }>(prepared('workspace-name', sql`select name from workspaces where id = ${1}`));
  const before = await name(db);
  const work = db.tx(async (tx) => {
    await tx.query(sql`update workspaces set name = 'changed' where id = 1`);
    expect(await name(tx)).toEqual([{ name: 'changed' }]);
    expect(await name(db.within(tx))).toEqual([{ name: 'changed' }]);
    expect(await name(db.forRequests())).toEqual(before);
    throw new Error('undo');
  });
  await expect(work).rejects.toThrow('undo');
  expect(await name(db)).toEqual(before);
});

it('what is prepared is parsed once on a connection', async () => {
  const role = (id: number) => prepared('role', sql`select role from memberships where user_id = ${id}`);
  const plans = sql`select generic_plans + custom_plans as plans from pg_prepared_statements where statement like 'select role from memberships%'`;
  await db.tx(async (tx) => {
    for (const id of [1, 2]) await tx.query(role(id));
    expect(await tx.query(plans)).toEqual([{ plans: 2 }]);
  });
});

it('one name may stand for several texts, each prepared under a name that begins with it', async () => {
  const named = (column: 'name' | 'id') =>
    prepared('a workspace', column === 'id' ? sql`select id from workspaces` : sql`select name from workspaces`);
  await db.tx(async (tx) => {
    expect([await tx.query(named('id')), await tx.query(named('name'))]).toEqual([[{ id: 1 }], [{ name: 'Default' }]]);
    const names = await tx.query<{ name: string }>(sql`select name from pg_prepared_statements where name like 'a workspace %'`);
    expect(new Set(names.map(({ name }) => name)).size).toBe(2);
  });
});

it('what is not marked is not prepared', async () => {
  await db.tx(async (tx) => {
    await tx.query(sql`select ${1}::int as one`);
    expect(await tx.query(sql`select 1 from pg_prepared_statements where statement like '%as one'`)).toEqual([]);
  });
});
