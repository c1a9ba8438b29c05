import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { changeCampaign, checkCampaign, deleteCampaign } from '../../src/campaigns/index.ts';
import { DAY, HOUR } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { BatchRunner } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { dueMailboxes, mailboxAccount, type SentMail } from '../support/polled-mailbox.ts';
import { enrolmentsOf, giveMailbox, nextSenders, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/** What an email promised stays promised (D2.8, D2.9). */

let installation: TestInstallation;
let app: App;
let sink: SmtpSink;
let imap: ImapServer;
let mailboxes: string[];

beforeAll(async () => {
  installation = await testInstallation();
  ({ app } = installation);
  // The first users of the server belong to the senders.
  mailboxes = Object.keys(nextSenders()).slice(20);
  ({ imap, sink } = await startMailServers());
});
beforeEach(async () => {
  installation.clock.set(TEST_START);
  sink.messages.length = 0;
  await app.db.query(sql`delete from suppressions`);
});

const newMailbox = async () => {
  const address = mailboxes.shift() ?? '';
  return { address, id: await mailboxAccount(app, imap.port, address) };
};

/** Creates a campaign whose first email directed replies to another mailbox. */
async function promised() {
  const replies = await newMailbox();
  const sender = await startSender(installation, sink, { contacts: [{}], campaign: {}, steps: [{}, { wait_days: 1 }] });
  await giveMailbox(installation, sender.accountId, imap.port);
  const change = (reply_to: string | null) => changeCampaign(app, installation.caller, sender.campaignId, { reply_to });
  await change(replies.address);
  const poller = new MailboxPoller(app);
  const batches = new BatchRunner(app, { ensurePolled: (ids) => poller.ensurePolled(ids), decorate: decorateEmail, linkOf });
  await batches.run(sender.accountId);
  const [first] = sink.messages;
  const mail = { messageId: first?.headers.get('message-id') ?? '', recipient: first?.to[0] } as SentMail;
  return {
    ...{ ...sender, replies, mail, change },
    send: () => batches.run(sender.accountId),
    async pollDue() {
      const due = await dueMailboxes(app);
      for (const id of due) await poller.poll(id);
      return due;
    },
    arrive: (words: string) => imap.append(replies.address, 'INBOX', reply(mail, {}, words)),
    status: async () => (await enrolmentsOf(installation, sender.campaignId))[0]?.status,
  };
}

describe('the reply mailbox that an email named is read, and its answers take effect, for 180 days', () => {
  it.each([
    ['reply_to was removed', async ({ change }: Awaited<ReturnType<typeof promised>>) => void (await change(null))],
    ['reply_to is another mailbox', async ({ change }) => void (await change((await newMailbox()).address))],
    ['the campaign was deleted', async ({ campaignId }) => void (await deleteCampaign(app, installation.caller, campaignId))],
  ])('although %s', async (_, change) => {
    const it = await promised();
    await change(it);
    await it.arrive('Please remove me from your list.');
    installation.clock.advance(HOUR);
    expect(await it.pollDue()).toContain(it.replies.id);
    expect(await it.status()).toBe('stopped');
    expect(await app.db.query(sql`select email from suppressions`)).toEqual([{ email: it.mail.recipient }]);
  });

  it('it is an event, since the mailbox that was promised is connected', async () => {
    const it = await promised();
    await it.change('boss@elsewhere.example');
    await it.arrive('Yes, call me.');
    installation.clock.advance(HOUR);
    await it.pollDue();
    const events = await app.db.query<{ type: string }>(
      sql`select type from events where campaign_id = ${it.campaignId} and type = 'replied'`,
    );
    expect([await it.status(), events.length]).toEqual(['replied', 1]);
  });

  it('no follow-up crosses an answer in it', async () => {
    const it = await promised();
    await it.change(null);
    installation.clock.advance(DAY);
    await it.arrive('Yes, call me.');
    await it.send();
    expect([await it.status(), sink.messages.length]).toEqual(['replied', 1]);
  });

  it('until 180 days later', async () => {
    const it = await promised();
    await it.change(null);
    await app.db.query(sql`update campaigns set status = 'completed', updated_at = ${app.clock.now()} where id = ${it.campaignId}`);
    installation.clock.advance(179 * DAY);
    expect(await it.pollDue()).toContain(it.replies.id);
    installation.clock.advance(2 * DAY);
    expect(await it.pollDue()).not.toContain(it.replies.id);
  });
});

describe('the way out names the mailbox that is read: that for replies, else the sender’s (D2.9)', () => {
  const STEPS = [{ body_html: '<p>Hi <a href="{{unsubscribe_url}}">no more</a></p>' }, { wait_days: 1 }];
  const wayOut = () => {
    const [email] = sink.messages;
    const body = String(email?.raw).replaceAll('=\r\n', '');
    return [email?.headers.get('list-unsubscribe'), /href=3D"([^"]*)"/.exec(body)?.[1]?.replaceAll('=3D', '=')];
  };
  const checks = async (campaignId: number) =>
    (await checkCampaign(app, installation.caller, campaignId)).filter(({ code }) => code === 'nobody_can_opt_out');

  it('the sender is not read, the reply address is; a request that arrives there takes effect', async () => {
    const replies = await newMailbox();
    const sender = await startSender(installation, sink, { contacts: [{}], campaign: {}, steps: STEPS });
    await changeCampaign(app, installation.caller, sender.campaignId, { reply_to: replies.address });
    await sender.batch();
    const mailto = expect.stringMatching(new RegExp(`^<?mailto:${replies.address}\\?subject=unsubscribe-`));
    expect(wayOut()).toEqual([mailto, mailto]);
    expect(await checks(sender.campaignId)).toEqual([]);
    const [, token = ''] = /unsubscribe-([a-z2-7]+)/.exec(wayOut()[0] ?? '') ?? [];
    await imap.append(replies.address, 'INBOX', message({ From: 'me@private.example', Subject: `unsubscribe-${token}` }, ''));
    installation.clock.advance(HOUR);
    await new MailboxPoller(app).poll(replies.id);
    expect((await enrolmentsOf(installation, sender.campaignId))[0]?.status).toBe('stopped');
  });

  it('the sender is read, and no reply address is set', async () => {
    const sender = await startSender(installation, sink, { contacts: [{}], steps: STEPS });
    const own = await giveMailbox(installation, sender.accountId, imap.port);
    await sender.batch();
    expect(wayOut()[0]).toMatch(new RegExp(`^<mailto:${own}\\?`));
  });

  it('neither is read, and no public address is set: no mailto is promised, and check fails', async () => {
    const sender = await startSender(installation, sink, { contacts: [{}], steps: STEPS });
    await sender.batch();
    expect(wayOut()).toEqual([undefined, '']);
    expect(await checks(sender.campaignId)).toMatchObject([{ is_blocking: true }]);
  });
});
