import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { WORKER } from '../../src/core/worker.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { recoverOutbox } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { testInstallation } from '../support/database.ts';
import { insertAccount } from '../support/rows.ts';

const { app } = await testInstallation();

/** An account that a worker sends from, polls and watches. */
async function heldBy(worker: string): Promise<number> {
  const id = await insertAccount(app, { email: `${worker.replaceAll(':', '-')}@example.com` });
  await app.db.query(sql`
    update accounts set batch_worker = ${worker}, poll_worker = ${worker}, idle_worker = ${worker}, batch_lease_until = now() + interval '2 min',
      poll_lease_until = now() + interval '5 min', idle_lease_until = now() + interval '90 s' where id = ${id}`);
  return id;
}

it("a dead daemon's accounts are released at once to the others of its host, to be sent from, polled and watched", async () => {
  const { pid } = spawnSync('true');
  const dead = await heldBy(`${hostname()}:${pid}:00000000`);
  const alive = await heldBy(WORKER);
  // Only its lease can tell.
  const elsewhere = await heldBy(`another-host:${pid}:00000000`);
  await recoverOutbox(app, { wasFetched, wasAnswered });
  const held = await app.db.query<{ id: number }>(sql`
    select id from accounts where batch_worker is not null and poll_worker is not null and idle_worker is not null order by id`);
  const free = await app.db.query<{ id: number }>(sql`
    select id from accounts where batch_worker is null and poll_worker is null and idle_worker is null
      and batch_lease_until is null and poll_lease_until is null and idle_lease_until is null`);
  expect(held.map(({ id }) => id)).toEqual([alive, elsewhere]);
  expect(free.map(({ id }) => id)).toEqual([dead]);
});
