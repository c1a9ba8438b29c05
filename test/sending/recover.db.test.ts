import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller, wasAnswered } from '../../src/inbound/index.ts';
import { releaseEmails } from '../../src/sending/batch/release.ts';
import { claimEmails } from '../../src/sending/email/claim.ts';
import { recoverOutbox, resolveOutbox } from '../../src/sending/index.ts';
import type { Allocation } from '../../src/sending/plan/batch-slots.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import type { SentMail } from '../support/polled-mailbox.ts';
import { enrolmentsOf, giveMailbox, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let imap: ImapServer;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  ({ imap, sink } = await startMailServers());
});
beforeEach(() => {
  // Emails of earlier tests are too old for recovery.
  installation.clock.advance(20 * MINUTE);
  sink.messages.length = 0;
});

/** Starts with a server that accepted the first of two emails but closed the connection instead of replying. */
async function startUncertain(port = imap.port) {
  const { app } = installation;
  const sender = await startSender(installation, sink, { steps: [{}, { wait_days: 1 }] });
  const email = await giveMailbox(installation, sender.accountId, port);
  sink.misbehave('data', 'drop', { times: 1 });
  await sender.batch();
  const [mail] = sink.messages;
  if (mail === undefined) throw new Error('the server took no mail');
  return {
    fileInSent: () => imap.append(email, 'Sent', mail.raw, ['\\Seen']),
    /** Files the copy as a provider that replaces the Message-ID does. */
    fileUnderNewId: () =>
      imap.append(email, 'Sent', mail.raw.toString().replace(/^Message-ID: .*$/im, 'Message-ID: <new@provider.example>'), ['\\Seen']),
    /** Delivers a message about the email, and polls the mailbox. */
    async arrives(about: (sent: SentMail) => string) {
      const [of] = await app.db.query<{ message_id: string; recipient: string }>(
        sql`select message_id, recipient from outbox where campaign_id = ${sender.campaignId}`,
      );
      await imap.append(email, 'INBOX', about({ messageId: of?.message_id, recipient: of?.recipient } as SentMail));
      expect(await new MailboxPoller(app).poll(sender.accountId)).toEqual({ read: 1, matched: 1 });
    },
    async isFetched() {
      await app.db.query(sql`
        insert into tracking_hits (workspace_id, outbox_id, kind, machine, at)
        select workspace_id, id, 'opened', 'proxy', ${app.clock.now()} from outbox where campaign_id = ${sender.campaignId}`);
    },
    /** Returns the states of the outbox, the step of the enrolment, and the recorded events. */
    async standing() {
      const [enrolment] = await enrolmentsOf(installation, sender.campaignId);
      const [row] = await app.db.query<{ states: string[]; response: string; events: string[] }>(sql`
        select array(select state from outbox where campaign_id = c.id) as states,
          (select response from outbox where campaign_id = c.id) as response,
          array(select type from events where campaign_id = c.id and type <> 'enrolled' and in_feed) as events
        from campaigns c where id = ${sender.campaignId}`);
      return { ...row, status: enrolment?.status, step: enrolment?.current_step, hold_reason: enrolment?.hold_reason };
    },
  };
}

const delivered = { status: 'active', step: 2, hold_reason: null, states: ['accepted'], events: ['sent'] };
const unknown = { status: 'active', step: 1, hold_reason: 'delivery unknown', states: ['unknown'], events: [] };

describe('an email that the server accepted without replying', () => {
  it('is accepted once the Sent folder holds its Message-ID, and its enrolment advances', async () => {
    const mail = await startUncertain();
    await mail.fileInSent();
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 1, unknown: 0 });
    expect(await mail.standing()).toMatchObject({ ...delivered, response: 'found in the Sent folder' });
  });

  it('is unknown while the folder lacks it, is searched for during a quarter of an hour, and counted once', async () => {
    const mail = await startUncertain();
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 0, unknown: 1 });
    expect(await mail.standing()).toMatchObject(unknown);
    installation.clock.advance(10 * MINUTE);
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 0, unknown: 0 });
    await mail.fileInSent();
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 1, unknown: 0 });
    expect(await mail.standing()).toMatchObject(delivered);
  });

  it('C1.8: is accepted once the folder holds our X-Entity-Ref-ID, where the provider replaced the Message-ID', async () => {
    const mail = await startUncertain();
    await mail.fileUnderNewId();
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 1, unknown: 0 });
    expect(await mail.standing()).toMatchObject({ ...delivered, response: 'found in the Sent folder' });
  });

  it.each([
    ['a reply', (sent: SentMail) => reply(sent), { status: 'replied', events: ['replied', 'sent'] }],
    ['a bounce', (sent: SentMail) => bounce(sent), { status: 'bounced', events: ['bounced', 'sent'] }],
    [
      'an automatic reply',
      (sent: SentMail) => reply(sent, { 'Auto-Submitted': 'auto-replied' }, 'I am away.'),
      { status: 'active', step: 2, events: ['sent'] },
    ],
  ])('C1.8: is accepted at any time when %s names it', async (_, about, expected) => {
    const mail = await startUncertain();
    await recoverOutbox(installation.app, { wasFetched, wasAnswered });
    installation.clock.advance(16 * MINUTE);
    await mail.arrives(about);
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 1, unknown: 0 });
    expect(await mail.standing()).toMatchObject({ ...expected, states: ['accepted'], response: 'a message about it arrived' });
  });

  it('that a person has sent again: a reply to the first copy ends the sequence, also while the second waits for its turn', async () => {
    const { app, caller } = installation;
    const mail = await startUncertain();
    await recoverOutbox(app, { wasFetched, wasAnswered });
    const [row] = await app.db.query<{ id: number; account_id: number; campaign_id: number }>(
      sql`select id, account_id, campaign_id from outbox where state = 'unknown' order by id desc limit 1`,
    );
    await resolveOutbox(app, caller, row?.id ?? 0, 'resend');
    const groups = [{ isB: false, zones: null, window: { timezone: 'UTC', startHour: 0, endHour: 24, days: null }, due: 1, nextDue: null }];
    const allocation = { campaignId: row?.campaign_id ?? 0, count: 1, groups: groups as unknown as Allocation['groups'] };
    const claimed = await claimEmails(app, {
      account: { id: row?.account_id ?? 0, email: 'sender@example.com', hasRefusedFollowUp: false },
      allocation,
    });
    // G3: the waits of 15 minutes, 1 hour and 4 hours follow refusals, and no server has refused it.
    expect(claimed).toMatchObject([{ attempt: 1 }]);
    await releaseEmails(app, claimed);
    await mail.arrives((sent) => reply(sent));
    expect(await mail.standing()).toMatchObject({ status: 'replied', states: ['retry'], events: ['replied'] });
  });

  it('C1.8: a bounce that only names its recipient settles nothing', async () => {
    const mail = await startUncertain();
    await recoverOutbox(installation.app, { wasFetched, wasAnswered });
    await expect(mail.arrives((sent) => bounce(sent, { returned: null }))).rejects.toThrow();
    expect(await mail.standing()).toMatchObject(unknown);
  });

  it('is left to a person after that', async () => {
    const mail = await startUncertain();
    await recoverOutbox(installation.app, { wasFetched, wasAnswered });
    installation.clock.advance(16 * MINUTE);
    await mail.fileInSent();
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 0, unknown: 0 });
    expect(await mail.standing()).toMatchObject(unknown);
  });

  it('is accepted at any time when its image or a link is fetched, even by a machine, and even if its mailbox is unreadable', async () => {
    const mail = await startUncertain(1);
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 0, unknown: 1 });
    installation.clock.advance(60 * MINUTE);
    await mail.isFetched();
    expect(await recoverOutbox(installation.app, { wasFetched, wasAnswered })).toEqual({ released: 0, confirmed: 1, unknown: 0 });
    expect(await mail.standing()).toMatchObject({ ...delivered, response: 'its image or a link was fetched' });
  });
});
