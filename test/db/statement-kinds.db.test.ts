import { expect, it } from 'vitest';
import { byKey, lookup, planning, prepared, sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';

const { app } = await testInstallation();
const { db } = app;

const plan = async (rows: Promise<Record<string, unknown>[]>) => (await rows).map((row) => row['QUERY PLAN']).join('\n');
const explained = sql`explain select name from workspaces where id = any(${[1]}::int[])`;

it('a statement runs where its kind says: look-ups on one connection, planning on another, those by key on two', async () => {
  const pid = sql`select pg_backend_pid() as pid, pg_sleep(0.02)`;
  const pidsOf = async (kind: typeof lookup) => {
    const rows = await Promise.all(Array.from({ length: 6 }, () => db.query<{ pid: number }>(kind('pid', pid))));
    return new Set(rows.map(([row]) => row?.pid));
  };
  const [looked, planned, keyed, read] = [await pidsOf(lookup), await pidsOf(planning), await pidsOf(byKey), await pidsOf(prepared)];
  expect([looked.size, planned.size, keyed.size]).toEqual([1, 1, 2]);
  expect(read.size).toBeGreaterThan(2);
  expect(new Set([...looked, ...planned, ...keyed, ...read]).size).toBe(2 + keyed.size + read.size);
});

it('what is prepared finds its rows by index where a plan would read a table that is still small', async () => {
  await db.query(sql`analyze workspaces`);
  expect(await plan(db.query(explained))).toContain('Seq Scan');
  for (const kind of [prepared, lookup, planning, byKey])
    expect(await plan(db.query(kind('explained', explained)))).toMatch(/Index Scan using workspaces_pkey/);
  expect(await plan(db.txByKey((tx) => tx.query(explained)))).toMatch(/Index Scan using workspaces_pkey/);
  expect(await plan(db.tx((tx) => tx.query(explained)))).toContain('Seq Scan');
});

it('what is prepared is not planned anew for other values, in a transaction neither', async () => {
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
