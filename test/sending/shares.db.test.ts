import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { BatchRunner } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { enrolmentsOf, type Sender, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/** Released emails, and campaigns without emails to send, leave their share of a batch to the other campaigns of the same batch. */

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  ({ sink } = await startMailServers());
});
beforeEach(() => {
  installation.clock.set(TEST_START);
  sink.messages.length = 0;
});

/** Creates two campaigns of four contacts each on one account that sends four emails a batch. */
async function twoCampaigns(): Promise<{ one: Sender; other: Sender }> {
  const account = { send_batch_min: 4, send_batch_max: 4 };
  const [one, other] = [
    await startSender(installation, sink, { account, contacts: [{}, {}, {}, {}] }),
    await startSender(installation, sink, { contacts: [{}, {}, {}, {}] }),
  ];
  await installation.app.db.query(sql`update campaigns set account_id = ${one.accountId} where id = ${other.campaignId}`);
  return { one, other };
}

const completed = async ({ campaignId }: Sender) =>
  (await enrolmentsOf(installation, campaignId)).filter(({ status }) => status === 'completed').length;

describe('the share of a campaign', () => {
  it('goes to the others where it has no email step: it takes no share at all', async () => {
    const { one, other } = await twoCampaigns();
    await installation.app.db.query(sql`update steps set deleted_at = now() where campaign_id = ${other.campaignId}`);
    expect(await one.batch()).toEqual({ sent: 4, other: 0 });
    expect(await completed(one)).toBe(4);
  });

  it('goes to the others where its contacts have no email step left', async () => {
    const { one, other } = await twoCampaigns();
    await installation.app.db.query(sql`update enrolments set current_step = 2 where campaign_id = ${other.campaignId}`);
    expect((await one.batch()).sent).toBe(4);
    expect(await completed(one)).toBe(4);
  });

  it('goes to the others where its window closes in the middle of the batch', async () => {
    const { one, other } = await twoCampaigns();
    const { app, clock } = installation;
    await app.db.query(sql`update accounts set gap_min_seconds = 0, gap_max_seconds = 1 where id = ${one.accountId}`);
    clock.set('2026-07-07T12:59:30Z');
    await app.db.query(sql`
      update campaigns set timezone = 'UTC', sending_hour_start = 12, sending_hour_end = 13 where id = ${one.campaignId}`);
    // A pause between two emails that takes no real time, after which the window is closed.
    const random = Object.create(app.random, {
      integer: {
        value(least: number, most: number) {
          if (most !== 1) return app.random.integer(least, most);
          clock.advance(MINUTE);
          return 0;
        },
      },
    });
    const batches = new BatchRunner({ ...app, random }, { ensurePolled: async () => [], decorate: decorateEmail, linkOf });
    expect((await batches.run(one.accountId)).sent).toBe(4);
    expect([await completed(one), await completed(other)]).toEqual([1, 3]);
  });
});
