import { expect, it } from 'vitest';
import { conflict } from '../../src/core/errors.ts';
import { underLock } from '../../src/db/lock.ts';
import { testInstallation } from '../support/database.ts';

const { app } = await testInstallation();
const { db } = app;

it('who comes second waits until the first is done', async () => {
  const order: string[] = [];
  const begun = Promise.withResolvers<void>();
  const first = underLock(db, 'install', async () => {
    begun.resolve();
    await expect(underLock(db, 'install', async () => 'let in', { refuse: conflict('busy') })).rejects.toThrow('busy');
    order.push('first');
  });
  await begun.promise;
  await underLock(db, 'install', async () => order.push('second'));
  await first;
  expect(order).toEqual(['first', 'second']);
});

it('every lock is apart: a daemon that registers its jobs is not taken for another secret rotate', async () => {
  const rotate = () => underLock(db, 'secret rotation', async () => 'rotated', { refuse: conflict('another secret rotate is running') });
  expect(await underLock(db, 'job registration', rotate)).toBe('rotated');
});

it('is given back when the work throws, and when its connection is lost', async () => {
  await expect(underLock(db, 'install', async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await underLock(db, 'install', async () => {
    await db.pool.query(`select pg_terminate_backend(pid, 10000) from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  });
  expect(await underLock(db, 'install', async () => 'let in', { refuse: conflict('busy') })).toBe('let in');
});
