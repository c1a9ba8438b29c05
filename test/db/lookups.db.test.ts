import { expect, it } from 'vitest';
import { lookup, sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';

const { app } = await testInstallation();
const { db } = app;

const echo = (value: number) =>
  db.query<{ value: number; pid: number }>(lookup('echo', sql`select ${value}::int as value, pg_backend_pid() as pid`));
const dividing = (by: number) => db.query<{ value: number }>(lookup('dividing', sql`select 100 / ${by}::int as value`));

it('look-ups of all requests share one connection, and each answer goes to who asked', async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, (_, value) => echo(value)));
  expect(answers.map(([row]) => row?.value)).toEqual(Array.from({ length: 300 }, (_, value) => value));
  expect(new Set(answers.map(([row]) => row?.pid)).size).toBe(1);
});

it('one that fails, fails alone', async () => {
  const answers = await Promise.allSettled([dividing(4), dividing(0), dividing(5)]);
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.value : 'failed'))).toEqual([25, 'failed', 20]);
});

it('when the connection is cut, what was asked on it is answered all the same, over another', async () => {
  const [first] = await echo(1);
  const waitsForLock = lookup('wait-for-lock', sql`select pg_advisory_xact_lock(1)`);
  let locked: Promise<unknown> | undefined;
  const answers = await db.tx(async (tx) => {
    await tx.query(waitsForLock);
    locked = db.query(waitsForLock);
    const asked = [echo(2), echo(3)];
    // Look-ups leave at the end of the turn.
    await new Promise(setImmediate);
    await tx.query(sql`select pg_terminate_backend(${first?.pid ?? 0})`);
    return Promise.all([...asked, echo(4)]);
  });
  await locked;
  expect(answers.map(([row]) => row?.value)).toEqual([2, 3, 4]);
  expect(answers.map(([row]) => row?.pid)).not.toContain(first?.pid);
});

it('inside of a transaction one sees what was written there, and nobody else does', async () => {
  const name = () => lookup('workspace-name', sql`select name from workspaces where id = ${1}`);
  const [before] = await db.query<{ name: string }>(name());
  await db
    .tx(async (tx) => {
      await tx.query(sql`update workspaces set name = 'changed' where id = 1`);
      expect(await tx.query(name())).toEqual([{ name: 'changed' }]);
      expect(await db.within(tx).query(name())).toEqual([{ name: 'changed' }]);
      expect(await db.query(name())).toEqual([before]);
      throw new Error('undo');
    })
    .catch(() => undefined);
  expect(await db.query(name())).toEqual([before]);
});
