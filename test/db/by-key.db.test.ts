import { expect, it } from 'vitest';
import { conflict } from '../../src/core/errors.ts';
import { prepared, sql } from '../../src/db/database.ts';
import { testInstallation } from '../support/database.ts';

const { app } = await testInstallation();
const { byKey } = app.db;

const workspaces = async () => (await app.db.query<{ name: string }>(sql`select name from workspaces order by id`)).map(({ name }) => name);
const rename = (name: string) => sql`update workspaces set name = ${name} where id = 1`;

it('finds a row by its index where a plan would read a table that is still small', async () => {
  await app.db.query(sql`analyze workspaces`);
  const statement = sql`explain select name from workspaces where id = any(${[1]}::int[])`;
  const plan = async (rows: Promise<Record<string, unknown>[]>) => (await rows).map((row) => row['QUERY PLAN']).join('\n');
  expect(await plan(app.db.query(statement))).toContain('Seq Scan');
  expect(await plan(byKey.query(statement))).toMatch(/Index Scan using workspaces_pkey/);
  expect(await plan(byKey.tx((tx) => tx.query(statement)))).toMatch(/Index Scan using workspaces_pkey/);
});

it('a transaction is rolled back when it throws, and what waits for its commit is dropped', async () => {
  const done: string[] = [];
  const run = (name: string, fail: boolean) =>
    byKey.tx(async (tx) => {
      tx.afterCommit(async () => void done.push(name));
      await tx.query(rename(name));
      if (fail) throw conflict('stop');
      return name;
    });
  await expect(run('rolled back', true)).rejects.toThrow('stop');
  expect(await run('committed', false)).toBe('committed');
  expect(await workspaces()).toEqual(['committed']);
  expect(done).toEqual(['committed']);
});

it('it has no entities, and says so', async () => {
  await expect(byKey.tx(async (tx) => void tx.em.persist({}))).rejects.toThrow('has no entity manager');
  await expect(byKey.tx((tx) => tx.em.flush())).resolves.toBeUndefined();
});

it('it is run again after a deadlock that PostgreSQL ended', async () => {
  let runs = 0;
  await byKey.tx(async (tx) => {
    runs++;
    await tx.query(rename(`run ${runs}`));
    if (runs === 1) await tx.query(sql`do $$ begin raise sqlstate '40P01'; end $$`);
  });
  expect(await workspaces()).toEqual(['run 2']);
});

it('a connection that is cut is replaced, between statements and in a transaction', async () => {
  const id = prepared(sql`select pg_backend_pid() as pid`);
  const cut = async (pid: number | undefined) => void (await app.db.query(sql`select pg_terminate_backend(${pid ?? 0})`));
  await expect(
    byKey.tx(async (tx) => {
      await cut((await tx.query<{ pid: number }>(id))[0]?.pid);
      await tx.query(rename('lost'));
    }),
  ).rejects.toThrow();
  expect(await byKey.tx((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
  expect(await workspaces()).not.toContain('lost');
});
