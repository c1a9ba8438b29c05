import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createCampaign } from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller, reclassifyReply } from '../../src/inbound/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import type { SentMail } from '../support/polled-mailbox.ts';
import { enrolmentsOf, giveMailbox, type Sender, type SenderOptions, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

/** Writers of replies in our thread, and what their replies end (D2.3 to D2.6). */

let installation: TestInstallation;
let app: App;
let sink: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation();
  ({ app } = installation);
  ({ sink, imap } = await startMailServers());
});
beforeEach(async () => {
  installation.clock.set(TEST_START);
  sink.messages.length = 0;
  await app.db.query(sql`delete from suppressions`);
  await app.db.query(sql`update contacts set deleted_at = now()`);
});

interface Campaign extends Sender {
  /** Delivers a message to the sender's mailbox, and polls it ten minutes later. */
  receive(...raws: string[]): Promise<void>;
  /** Returns the first email to this address. */
  mailTo(address: string): SentMail;
  /** Returns the contacts emailed by the next step, a day later. */
  nextDay(): Promise<string[]>;
}

async function campaign(options: SenderOptions): Promise<Campaign> {
  sink.messages.length = 0;
  const sender = await startSender(installation, sink, { steps: [{ subject: 'Hello' }, { wait_days: 1 }], ...options });
  const mailbox = await giveMailbox(installation, sender.accountId, imap.port);
  await sender.batch();
  return {
    ...sender,
    async receive(...raws) {
      installation.clock.advance(10 * MINUTE);
      for (const raw of raws) await imap.append(mailbox, 'INBOX', raw);
      expect(await new MailboxPoller(app).poll(sender.accountId)).not.toBeNull();
    },
    mailTo: (recipient) =>
      ({ messageId: sink.messages.find(({ to }) => to[0] === recipient)?.headers.get('message-id'), recipient }) as SentMail,
    async nextDay() {
      sink.messages.length = 0;
      installation.clock.advance(DAY);
      await sender.batch();
      return sink.messages.flatMap(({ to }) => to).sort();
    },
  };
}

const ADA = { email: 'ada@corp.example', name: 'Ada Lovelace' };
const BOB = { email: 'bob@corp.example', name: 'Bob Babbage' };
const CARL = { email: 'carl@other.example', name: 'Carl' };
const states = async ({ campaignId }: Sender) =>
  (await enrolmentsOf(installation, campaignId)).map(({ status, stop_reason }) => [status, stop_reason].filter(Boolean).join(': '));
const suppressed = async () =>
  (await app.db.query<{ email: string }>(sql`select email from suppressions where removed_at is null order by email`)).map(
    ({ email }) => email,
  );
const events = ({ campaignId }: Sender) =>
  app.db
    .query<{ event: string }>(sql`
      select k.name || ' ' || v.type as event from events v join contacts k on k.id = v.contact_id
      where v.campaign_id = ${campaignId} and v.type in ('replied', 'unsubscribed') order by v.id`)
    .then((rows) => rows.map(({ event }) => event));
const kinds = ({ campaignId }: Sender) =>
  app.db
    .query<{ kind: string }>(sql`select kind from replies where campaign_id = ${campaignId} order by id`)
    .then((rows) => rows.map(({ kind }) => kind));

describe('D2.4: any person’s answer in the thread ends that enrolment as replied, with the event, whoever of the other side wrote it', () => {
  it.each([
    ['the person from another address', 'Jürgen Müller', '"Müller, Jürgen" <juergen.mueller@corp.example>', 'reply'],
    ['the same mailbox without the tag', 'Xaver', 'J M <j.mueller@corp.example>', 'reply'],
    ['a colleague', 'Jürgen Müller', 'Charles Babbage <charles@corp.example>', 'colleague'],
    ['an unknown third', 'Jürgen Müller', 'Mary <mary@elsewhere.example>', 'reply'],
  ])('%s', async (_, name, From, kind) => {
    const of = await campaign({ contacts: [{ email: 'j.mueller+tools@corp.example', name }] });
    await of.receive(reply(of.mailTo('j.mueller+tools@corp.example'), { From }));
    expect([await states(of), await kinds(of), await events(of)]).toEqual([['replied'], [kind], [`${name} replied`]]);
    expect(await of.nextDay()).toEqual([]);
  });

  it('biuro@firma answered by Jan of the firm: several people read that address', async () => {
    const of = await campaign({ contacts: [{ email: 'biuro@firma.example', name: 'Firma' }] });
    await of.receive(reply(of.mailTo('biuro@firma.example'), { From: 'Jan Kowalski <jan@firma.example>' }, 'Yes, please call me at 10.'));
    expect([await states(of), await kinds(of)]).toEqual([['replied'], ['reply']]);
  });

  it('with when_colleague_replies: continue the answer of a colleague changes nothing, that of the person does', async () => {
    const of = await campaign({ campaign: { when_colleague_replies: 'continue' }, contacts: [ADA] });
    await of.receive(reply(of.mailTo(ADA.email), { From: 'Charles Babbage <charles@corp.example>' }));
    expect([await states(of), await kinds(of), await events(of)]).toEqual([['active'], ['colleague'], []]);
    await of.receive(reply(of.mailTo(ADA.email), { From: 'Ada Lovelace <lovelace@corp.example>' }));
    expect([await states(of), await events(of)]).toEqual([['replied'], ['Ada Lovelace replied']]);
  });
});

describe('D2.5: a writer who is a contact', () => {
  it('their answer ends their own enrolment of that campaign as well', async () => {
    const of = await campaign({ contacts: [ADA, BOB, CARL] });
    await of.receive(reply(of.mailTo(ADA.email), { From: 'Carl <carl@other.example>' }, 'Ada forwarded me your email. Yes, let us talk.'));
    expect([await states(of), await events(of)]).toEqual([
      ['replied', 'active', 'replied'],
      ['Ada Lovelace replied', 'Carl replied'],
    ]);
    expect(await of.nextDay()).toEqual([BOB.email]);
  });

  it('also where a colleague’s answer does not end that of the contact; and it counts for stop_company', async () => {
    for (const stop_company of [false, true]) {
      const of = await campaign({ campaign: { stop_company, when_colleague_replies: 'continue' }, contacts: [ADA, BOB] });
      await of.receive(reply(of.mailTo(ADA.email), { From: 'Bob Babbage <bob@corp.example>' }, 'Yes, let us talk on Tuesday.'));
      expect(await states(of)).toEqual([stop_company ? 'stopped: somebody else at the company replied' : 'active', 'replied']);
      await app.db.query(sql`update contacts set deleted_at = now()`);
    }
  });

  it('ends their answers are taken back with a correction of the reply', async () => {
    const of = await campaign({ contacts: [ADA, CARL] });
    await of.receive(reply(of.mailTo(ADA.email), { From: 'Carl <carl@other.example>' }, 'Ada forwarded me your email.'));
    const [row] = await app.db.query<{ id: number }>(sql`select id from replies where campaign_id = ${of.campaignId}`);
    await reclassifyReply(app, installation.caller, row?.id ?? 0, 'auto_reply');
    expect([(await enrolmentsOf(installation, of.campaignId)).map(({ status }) => status), await events(of)]).toEqual([
      ['active', 'active'],
      [],
    ]);
    await reclassifyReply(app, installation.caller, row?.id ?? 0, 'unsubscribe_request');
    expect(await suppressed()).toEqual([ADA.email, CARL.email]);
    await reclassifyReply(app, installation.caller, row?.id ?? 0, 'reply');
    expect([await states(of), await suppressed()]).toEqual([['replied', 'replied'], []]);
  });

  it.each([
    ['of the same company', BOB],
    ['of another domain', CARL],
  ])('a removal request of a contact %s stops and suppresses the mailed address and the address it came from', async (_, writer) => {
    const of = await campaign({ contacts: [ADA, writer] });
    await of.receive(reply(of.mailTo(ADA.email), { From: `${writer.name} <${writer.email}>` }, 'Please remove me from your list.'));
    expect(await suppressed()).toEqual([ADA.email, writer.email]);
    expect(await states(of)).toEqual(['stopped: asked to be removed', 'stopped: asked to be removed']);
    expect(await of.nextDay()).toEqual([]);
  });

  it('suppresses no address of our own side, which writes in the thread or uses List-Unsubscribe', async () => {
    const of = await campaign({ contacts: [ADA] });
    const { messageId } = of.mailTo(ADA.email);
    const token = messageId.slice(1, messageId.indexOf('@'));
    await of.receive(
      reply(of.mailTo(ADA.email), { From: 'Xaver <xaver@example.com>' }, 'Please remove me from your list.'),
      reply(of.mailTo(ADA.email), { From: 'Xaver <xaver@example.com>', Subject: `unsubscribe-${token}` }, ''),
    );
    expect(await suppressed()).toEqual([ADA.email]);
  });
});

describe('D2.6: a request to be removed does all that a reply does', () => {
  it.each(['No thanks.', 'Please take us off your mailing list.'])('stop_company: "%s"', async (words) => {
    const of = await campaign({ campaign: { stop_company: true }, contacts: [ADA, BOB] });
    await of.receive(reply(of.mailTo(ADA.email), {}, words));
    expect((await states(of))[1]).toBe('stopped: somebody else at the company replied');
    expect(await of.nextDay()).toEqual([]);
  });

  it('subsequences on a reply are noted', async () => {
    const { id: next } = await createCampaign(app, installation.caller, { name: 'next', account_id: (await campaign({})).accountId });
    const of = await campaign({ campaign: { subsequences: [{ on: 'replied', campaign_id: next }] }, contacts: [ADA] });
    await of.receive(reply(of.mailTo(ADA.email), {}, 'Please remove me from your list.'));
    const noted = await app.db.query(sql`select contact_id, cause from pending_enrolments where campaign_id = ${next}`);
    expect(noted).toEqual([{ contact_id: of.contactIds[0], cause: 'replied' }]);
  });
});
