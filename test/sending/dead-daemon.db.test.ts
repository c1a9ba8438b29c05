import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { takeBatchLease } from '../../src/accounts/index.ts';
import { THIS_PROCESS } from '../../src/core/process-identity.ts';
import { WORKER } from '../../src/core/worker.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { claimEmails } from '../../src/sending/email/claim.ts';
import { recoverOutbox } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { insertAccount } from '../support/rows.ts';
import { type Sender, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app } = installation;
const recover = () => recoverOutbox(app, { wasFetched, wasAnswered });

/** Creates an account that `worker` sends from, polls and watches. */
async function heldBy(worker: string): Promise<number> {
  const id = await insertAccount(app, { email: `${worker.replaceAll(':', '-')}@example.com` });
  await app.db.query(sql`
    update accounts set batch_worker = ${worker}, poll_worker = ${worker}, idle_worker = ${worker}, batch_lease_until = now() + interval '2 min',
      poll_lease_until = now() + interval '5 min', idle_lease_until = now() + interval '90 s' where id = ${id}`);
  return id;
}

it("a dead daemon's accounts are released at once to the others of its host, to be sent from, polled and watched", async () => {
  const { pid } = spawnSync('true');
  const dead = await heldBy(`${THIS_PROCESS.split(':')[0]}:${pid}:1:00000000`);
  const alive = await heldBy(WORKER);
  // Only the lease shows if a worker on another machine has ended.
  const elsewhere = await heldBy(`another-machine:${pid}:1:00000000`);
  await recover();
  const held = await app.db.query<{ id: number }>(sql`
    select id from accounts where batch_worker is not null and poll_worker is not null and idle_worker is not null order by id`);
  const free = await app.db.query<{ id: number }>(sql`
    select id from accounts where batch_worker is null and poll_worker is null and idle_worker is null
      and batch_lease_until is null and poll_lease_until is null and idle_lease_until is null`);
  expect(held.map(({ id }) => id)).toEqual([alive, elsewhere]);
  expect(free.map(({ id }) => id)).toEqual([dead]);
});

/** Claims the email of a sender, as a batch does. */
async function claimOf(sender: Sender): Promise<void> {
  const window = { timezone: 'UTC', startHour: 0, endHour: 24, days: null };
  const share = { campaignId: sender.campaignId, count: 1, groups: [{ isB: false, zones: null, window, due: 1, nextDue: null }] };
  expect(
    await claimEmails(app, {
      account: { id: sender.accountId, email: 'sender@example.com', hasRefusedFollowUp: false },
      allocation: share,
    }),
  ).toHaveLength(1);
}

it('a claim whose reply was lost, so that no batch has it, is due again at the next recovery and sent once', async () => {
  const sender = await startSender(installation, sink);
  await claimOf(sender);
  expect((await recover()).released).toBe(1);
  await sender.batch();
  expect(sink.messages).toHaveLength(1);
});

it('a claim is left to the batch that is about to send it', async () => {
  const sender = await startSender(installation, sink);
  await takeBatchLease(app, sender.accountId);
  await claimOf(sender);
  expect((await recover()).released).toBe(0);
});
