import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enrol } from '../../src/campaigns/index.ts';
import { DAY, MINUTE, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { BatchRunner } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { message } from '../support/inbound-mail.ts';
import { insertContact } from '../support/rows.ts';
import { enrolmentsOf, giveMailbox, type Sender, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/** A follow-up never crosses a reply: none is sent before the mailbox was read within the poll interval. */

let installation: TestInstallation;
let poller: MailboxPoller;
let batches: BatchRunner;
let imap: ImapServer;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  poller = new MailboxPoller(installation.app);
  batches = new BatchRunner(installation.app, { ensurePolled: (ids) => poller.ensurePolled(ids), decorate: decorateEmail, linkOf });
  ({ imap, sink } = await startMailServers());
});
beforeEach(() => {
  installation.clock.set(TEST_START);
  sink.messages.length = 0;
});

/** Starts a campaign of two emails: the first was sent to three contacts, the second is due now. The mailbox is on `port`. */
async function startSequence(port: number): Promise<Sender & { email: string }> {
  const sender = await startSender(installation, sink, { steps: [{}, { wait_days: 1 }], contacts: [{}, {}, {}] });
  const email = await giveMailbox(installation, sender.accountId, port);
  expect((await sender.batch()).sent).toBe(3);
  sink.messages.length = 0;
  installation.clock.advance(DAY);
  return { ...sender, email };
}

const batch = ({ accountId }: Sender) => batches.run(accountId);

/** Delivers a contact's reply (by default the first contact's) to their first email. */
async function answer(sender: Sender & { email: string }, contactId = sender.contactIds[0]): Promise<void> {
  const [mail] = await installation.app.db.query<{ message_id: string; recipient: string }>(sql`
    select message_id, recipient from outbox where campaign_id = ${sender.campaignId} and contact_id = ${contactId} order by id limit 1`);
  const headers = { From: `Con Tact <${mail?.recipient}>`, Subject: 'Re: Hello', 'In-Reply-To': mail?.message_id ?? '' };
  await imap.append(sender.email, 'INBOX', message(headers, 'Call me.'));
}

describe('a follow-up', () => {
  it('is not sent to who has replied, though nobody has read the mailbox since', async () => {
    const sender = await startSequence(imap.port);
    await answer(sender);
    expect((await batch(sender)).sent).toBe(2);
    expect((await enrolmentsOf(installation, sender.campaignId)).map(({ status }) => status)).toEqual([
      'replied',
      'completed',
      'completed',
    ]);
    expect(sink.messages).toHaveLength(2);
  });

  it('waits while the mailbox can not be read, first mails do not; it goes out once it could be', async () => {
    const sender = await startSequence(1);
    await answer(sender);
    expect(await batch(sender)).toEqual({ sent: 0, other: 3 });
    expect((await enrolmentsOf(installation, sender.campaignId)).map(({ status }) => status)).toEqual(['active', 'active', 'active']);
    await giveMailbox(installation, sender.accountId, imap.port);
    installation.clock.advance(11 * MINUTE);
    expect((await batch(sender)).sent).toBe(2);
  });

  it('that is put back gives its share of the batch to the others: first emails of its campaign, and those of another', async () => {
    const sender = await startSequence(1);
    const { app, caller } = installation;
    await app.db.query(sql`update accounts set send_batch_min = 4, send_batch_max = 4 where id = ${sender.accountId}`);
    const other = await startSender(installation, sink, { contacts: [{}, {}, {}] });
    await app.db.query(sql`update campaigns set account_id = ${sender.accountId} where id = ${other.campaignId}`);
    const newcomers = [await insertContact(app), await insertContact(app), await insertContact(app)];
    await enrol(app, caller, sender.campaignId, { contact_ids: newcomers });
    expect((await batch(sender)).sent).toBe(4);
    const sentOf = async (campaignId: number) =>
      (await enrolmentsOf(installation, campaignId)).filter(({ contact_id, status, current_step }) =>
        sender.contactIds.includes(contact_id) ? current_step === 3 : status === 'completed' || current_step === 2,
      ).length;
    expect([await sentOf(sender.campaignId), await sentOf(other.campaignId)]).toEqual([2, 2]);
  });

  it('is not sent to who replies in the middle of a batch that outlasts the poll interval', async () => {
    const sender = await startSequence(imap.port);
    const { app, clock } = installation;
    await app.db.query(sql`update accounts set gap_min_seconds = 0, gap_max_seconds = 1 where id = ${sender.accountId}`);
    // A pause between two emails that takes no real time, after which the mailbox was read too long ago.
    const random = Object.create(app.random, {
      integer: {
        value(least: number, most: number) {
          if (most !== 1) return app.random.integer(least, most);
          clock.advance((app.config.pollIntervalSeconds + 1) * SECOND);
          return 0;
        },
      },
    });
    let asked = 0;
    const pausing = new BatchRunner(
      { ...app, random },
      {
        async ensurePolled(ids) {
          const unread = await poller.ensurePolled(ids);
          if (++asked === 1) for (const contactId of sender.contactIds) await answer(sender, contactId);
          return unread;
        },
        decorate: decorateEmail,
        linkOf,
      },
    );
    const report = await pausing.run(sender.accountId);
    // Before the first and the second email; there is no third.
    expect([report.sent, asked]).toEqual([1, 2]);
    expect((await enrolmentsOf(installation, sender.campaignId)).filter(({ status }) => status === 'active')).toEqual([]);
  });
});
