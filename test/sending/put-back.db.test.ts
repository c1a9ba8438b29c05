import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteStep, listSteps } from '../../src/campaigns/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { releaseEmails } from '../../src/sending/batch/release.ts';
import { type ClaimedEmail, claimEmails } from '../../src/sending/email/claim.ts';
import { recoverOutbox, resolveOutbox } from '../../src/sending/index.ts';
import type { Allocation } from '../../src/sending/plan/batch-slots.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { enrolmentsOf, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/**
 * B3, B12: whoever waits at a step that is deleted goes on with the next one, after its own wait. That holds for an email that
 * a worker had already taken, and that comes back.
 */

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  ({ sink } = await startMailServers());
});
beforeEach(() => installation.clock.set(TEST_START));

/** Creates a contact who got step 1 two days ago and whose step 2 is claimed when it is deleted; step 3 waits five days. */
async function claimedOfDeletedStep() {
  const { app, caller, clock } = installation;
  const steps = [{}, { wait_days: 2 }, { wait_days: 5 }];
  const { accountId, campaignId, batch } = await startSender(installation, sink, { steps });
  await batch();
  const sentAt = clock.now();
  clock.advance(2 * DAY);
  const group = { isB: false, zones: null, window: { timezone: 'UTC', startHour: 0, endHour: 24, days: [] }, due: 1, nextDue: null };
  const allocation: Allocation = { campaignId, count: 1, groups: [group] };
  const claimed = await claimEmails(app, {
    account: { id: accountId, email: 'sender@example.com', hasRefusedFollowUp: false },
    allocation,
  });
  expect(claimed).toMatchObject([{ step_order: 2 }]);
  const [, second] = await listSteps(app.db, caller, campaignId);
  await deleteStep(app, caller, campaignId, second?.id ?? 0);
  return { claimed, campaignId, due: new Date(sentAt.getTime() + 5 * DAY) };
}

describe('an email of a deleted step that comes back leaves the wait of the next step alone', () => {
  it.each<[string, (claimed: readonly ClaimedEmail[]) => Promise<unknown>]>([
    ['released by its worker', (claimed) => releaseEmails(installation.app, [...claimed])],
    [
      'of a worker that died',
      async ([email]) => {
        await installation.app.db.query(sql`update outbox set lease_until = now() - interval '1 second' where id = ${email?.id}`);
        return recoverOutbox(installation.app, { wasFetched, wasAnswered });
      },
    ],
    [
      'that a person has sent again',
      async ([email]) => {
        const { app, caller, clock } = installation;
        await app.db.query(sql`update outbox set state = 'unknown', transmitting_at = ${clock.now()} where id = ${email?.id}`);
        return resolveOutbox(app, caller, email?.id ?? 0, 'resend');
      },
    ],
  ])('%s', async (_, comesBack) => {
    const { claimed, campaignId, due } = await claimedOfDeletedStep();
    await comesBack(claimed);
    expect(await enrolmentsOf(installation, campaignId)).toMatchObject([{ status: 'active', current_step: 2, due_at: due }]);
  });
});
