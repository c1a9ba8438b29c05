import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { changeWorkspace, pauseAccount } from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { checkPlacement } from '../../src/health/placement-check.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { findAllPlacements, findPlacements, repeatPlacements, startPlacement } from '../../src/sending/index.ts';
import { decorateEmail, linkOf } from '../../src/tracking/index.ts';
import { afterFile } from '../support/after-file.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { startGreedyImap } from '../support/greedy-imap.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { mailboxAccount, PASSWORD } from '../support/polled-mailbox.ts';
import { insertAccount, rowOf } from '../support/rows.ts';
import { type Sender, startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

/** A placement test shows in which folder of the user's own mailboxes a step arrives, without changing anything there. */

const LINKS = { decorate: decorateEmail, linkOf };
const [INBOXED, JUNKED, FILED, LOST] = ['ann@inboxed.test', 'bob@junked.test', 'cyd@filed.test', 'dan@lost.test'];
let installation: TestInstallation;
let app: App;
let sink: SmtpSink;
let server: ImapServer;
let sender: Sender;
const ids: Record<string, number> = {};

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: 'https://links.example.com' });
  ({ app } = installation);
  sink = await startSmtpSink({ users: { me: 'secret' } });
  server = await startImapServer({ users: Object.fromEntries([INBOXED, JUNKED, FILED, LOST].map((user) => [user, PASSWORD])) });
  afterFile(() => Promise.all([sink.close(), server.close()]));
  for (const user of [INBOXED, JUNKED, FILED, LOST]) ids[user] = await mailboxAccount(app, server.port, user);
  await changeWorkspace(app, installation.caller, {
    postal_address: 'Acme GmbH, Hauptstr. 1',
    footer_html: '<p>{{postal_address}} <a href="{{unsubscribe_url}}">Unsubscribe</a></p>',
  });
});
beforeEach(async () => {
  sink.messages.length = 0;
  const steps = [
    { subject: 'A limited offer', body_html: '<p>Hello {{first_name}}, <a href="https://shop.example/x">look</a></p>' },
    { body_html: '<p>Two</p>', wait_days: 3 },
  ];
  sender = await startSender(installation, sink, { steps, contacts: [{ name: 'Ada Lovelace' }] });
});

const RECEIVED = [
  'Authentication-Results: mx.receiver.test; dkim=pass header.d=example.com; spf=softfail',
  '\tsmtp.mailfrom=example.com; dmarc=pass',
  'DKIM-Signature: v=1; a=rsa-sha256; d=example.com;\r\n\ts=company9; h=from; bh=x; b=y',
].join('\r\n');
/** The filter rules of each mailbox, as its delivery agent applies them. */
const RULES: Record<string, (raw: string) => string | null> = {
  [INBOXED]: () => 'INBOX',
  [JUNKED]: (raw) => (/^Subject: .*offer/im.test(raw) ? 'Junk' : 'INBOX'),
  [FILED]: () => 'Newsletters',
  [LOST]: () => null,
};

/** Delivers the emails that the sink accepted, by the rules of the mailboxes. */
async function deliver(): Promise<void> {
  for (const { to, raw } of sink.messages.splice(0)) {
    const [user = ''] = [to].flat();
    const folder = RULES[user]?.(String(raw));
    if (folder != null) await server.append(user, folder, `${RECEIVED}\r\n${raw}`);
  }
}
const start = (to: readonly string[], input: object = {}) =>
  startPlacement(app, installation.caller, sender.accountId, { to: to.map((user) => ids[user] ?? 0), ...input }, LINKS);
const find = async () => (await findPlacements(app, installation.caller, sender.accountId))[0]?.results ?? [];
const places = async () => (await find()).map(({ email, place, folder }) => [email, place, folder]);
const countedToday = async () =>
  (await app.db.query<{ accepted: number }>(sql`select accepted from account_days where account_id = ${sender.accountId}`))[0]?.accepted;

describe('account placement', () => {
  it('finds the step in the inbox, in Junk, elsewhere, or, after 15 minutes, nowhere', async () => {
    await start([INBOXED, JUNKED, FILED, LOST]);
    expect(await places()).toEqual([INBOXED, JUNKED, FILED, LOST].map((user) => [user, 'waiting', null]));
    await deliver();
    const found = [
      [INBOXED, 'inbox', 'INBOX'],
      [JUNKED, 'junk', 'Junk'],
      [FILED, 'elsewhere', 'Newsletters'],
    ];
    installation.clock.advance(14 * MINUTE);
    expect(await places()).toEqual([...found, [LOST, 'waiting', null]]);
    installation.clock.advance(2 * MINUTE);
    await findAllPlacements(app);
    expect(await places()).toEqual([...found, [LOST, 'missing', null]]);
    const [first] = await find();
    expect(first).toMatchObject({ authentication: 'spf=softfail dkim=pass dmarc=pass', dkim_keys: ['company9._domainkey.example.com'] });
  });

  it.each([
    ['promotions', [5]],
    ['inbox', []],
    // A refused search does not mean that the email is missing: it is repeated.
    ['waiting', null],
  ])('of Gmail’s tabs, which only its own search tells, it finds %s', async (place, uids) => {
    const searches: string[] = [];
    const gmail = await startGreedyImap((command, tag, say, line) => {
      if (command === 'CAPABILITY') say(`* CAPABILITY IMAP4rev1 UIDPLUS X-GM-EXT-1\r\n${tag} OK done\r\n`);
      if (command === 'UID SEARCH') {
        searches.push(line.replace(/^\S+ /, ''));
        const found = line.includes('X-GM-RAW') ? uids : [5];
        say(found === null ? `${tag} NO try later\r\n` : `* SEARCH ${found.join(' ')}\r\n${tag} OK done\r\n`);
      }
      return command === 'CAPABILITY' || command === 'UID SEARCH';
    });
    try {
      const email = `gia-${place}@gmail.test`;
      ids[email] = await mailboxAccount(app, gmail.port, email);
      const [sent] = (await start([email])).results;
      expect(await places()).toEqual([[email, place, uids === null ? null : 'INBOX']]);
      const id = sent?.message_id.slice(1, -1);
      expect(searches).toEqual([
        `UID SEARCH HEADER MESSAGE-ID <${id}>`,
        // https://developers.google.com/workspace/gmail/imap/imap-extensions, "Extension of the SEARCH command: X-GM-RAW".
        `UID SEARCH X-GM-RAW "category:promotions rfc822msgid:${id}"`,
      ]);
    } finally {
      await gmail.close();
    }
  });

  it('sends the step exactly as it would leave, each with a Message-ID of its own, and the one that is asked for', async () => {
    const test = await start([INBOXED, JUNKED]);
    expect(test).toMatchObject({ campaign_id: sender.campaignId, step_order: 1, subject: 'A limited offer' });
    const [raw = '', other = ''] = sink.messages.map((message) => String(message.raw));
    expect(raw).toMatch(/^Subject: A limited offer\r$/m);
    expect(raw).toMatch(/^List-Unsubscribe: /m);
    expect(raw).toContain('Hello Ada');
    expect(raw).toContain('Hauptstr. 1');
    const idIn = (text: string) => /^Message-ID: (.*)\r$/im.exec(text)?.[1];
    expect(test.results.map(({ message_id }) => message_id)).toEqual([idIn(raw), idIn(other)]);
    expect(idIn(raw)).not.toBe(idIn(other));
    sink.messages.length = 0;
    expect(await start([INBOXED], { campaign_id: sender.campaignId, step_order: 2 })).toMatchObject({
      step_order: 2,
      subject: 'Re: A limited offer',
    });
  });

  it('opens and moves nothing, and is no message of ours when the mailbox is polled', async () => {
    await start([INBOXED]);
    await deliver();
    const before = await server.messages(INBOXED, 'INBOX');
    expect((await find())[0]?.place).toBe('inbox');
    const after = await server.messages(INBOXED, 'INBOX');
    expect(after.map(({ uid, flags }) => [uid, [...flags].filter((flag) => flag !== '\\Recent')])).toEqual(
      before.map(({ uid }) => [uid, []]),
    );
    expect(await new MailboxPoller(app).poll(ids[INBOXED] ?? 0)).toMatchObject({ matched: 0 });
  });

  it('counts for the account’s day, with an entry in the audit log for each, and for nothing else', async () => {
    await start([INBOXED, JUNKED]);
    expect(await countedToday()).toBe(2);
    const entries = await app.db.query(
      sql`select actor, changes->>'to' as to from audit_log where action = 'account.placement' and resource_id = ${sender.accountId} order by id`,
    );
    expect(entries).toEqual([INBOXED, JUNKED].map((to) => ({ actor: installation.caller.actor, to })));
    expect(await app.db.query(sql`select 1 from outbox where account_id = ${sender.accountId}`)).toEqual([]);
  });

  it('keeps the words of a server that refuses one, and of a mailbox that can’t be read', async () => {
    sink.misbehave('data', { code: 550, text: '5.7.1 blocked' });
    await start([INBOXED]);
    sink.behave();
    expect(await find()).toMatchObject([{ place: 'refused', problem: expect.stringContaining('5.7.1 blocked') }]);
    expect(await countedToday()).toBe(0);
    await start([INBOXED]);
    await app.db.query(sql`update accounts set imap = jsonb_set(imap, '{port}', '1') where id = ${ids[INBOXED]}`);
    expect(await find()).toMatchObject([{ place: 'waiting', problem: expect.stringMatching(/ECONNREFUSED|can't/) }]);
    await app.db.query(sql`update accounts set imap = jsonb_set(imap, '{port}', ${String(server.port)}::jsonb) where id = ${ids[INBOXED]}`);
  });

  it('refuses its own mailbox, one that can’t be read, another account’s campaign, and a paused account', async () => {
    const blind = await insertAccount(app);
    const other = await startSender(installation, sink);
    await expect(start([], { to: [sender.accountId] })).rejects.toThrow("an account can't test its own mailbox");
    await expect(start([], { to: [blind] })).rejects.toThrow(/the mailbox of \S+ can't be read; connect it with --imap-url/);
    await expect(start([], { to: [999_999] })).rejects.toThrow('to: there is no account 999999');
    await expect(start([INBOXED], { campaign_id: other.campaignId })).rejects.toThrow(`the account has no campaign ${other.campaignId}`);
    await expect(start([INBOXED], { step_order: 9 })).rejects.toThrow('the campaign has no email step 9');
    await pauseAccount(app, installation.caller, sender.accountId);
    await expect(start([INBOXED])).rejects.toThrow('the account is paused');
    expect(sink.messages).toEqual([]);
  });

  it('is repeated each week where the account is set to, to the same mailboxes', async () => {
    await start([INBOXED, JUNKED]);
    sink.messages.length = 0;
    installation.clock.advance(8 * DAY);
    await repeatPlacements(app, LINKS);
    expect(sink.messages).toEqual([]);
    await app.db.query(sql`update accounts set placement_weekly = true where id = ${sender.accountId}`);
    await repeatPlacements(app, LINKS);
    await repeatPlacements(app, LINKS);
    expect(sink.messages.map(({ to }) => [to].flat()[0])).toEqual([INBOXED, JUNKED]);
    const { placements } = await rowOf<{ placements: unknown[] }>(app, 'accounts', sender.accountId);
    expect(placements).toHaveLength(2);
  });

  it('health tells of 7 and 30 days', async () => {
    const state = async () => {
      const { placements } = await rowOf<{ placements: Parameters<typeof checkPlacement>[1] }>(app, 'accounts', sender.accountId);
      const { state: word, detail } = checkPlacement('zoe@example.com', placements, app.clock.now());
      return `${word}: ${detail}`;
    };
    expect(await state()).toBe('unknown: not tested in 30 days');
    await start([INBOXED]);
    await deliver();
    await find();
    expect(await state()).toBe('good: 7 days: 1 of 1 email in the inbox; 30 days: 1 of 1 email in the inbox');
    installation.clock.advance(10 * DAY);
    await start([INBOXED, JUNKED]);
    await deliver();
    await find();
    const elsewhere = `junk at ${JUNKED}`;
    expect(await state()).toBe(`watch: 7 days: 1 of 2 emails in the inbox; 30 days: 2 of 3 emails in the inbox: ${elsewhere}`);
    installation.clock.advance(25 * DAY);
    await start([JUNKED]);
    await deliver();
    await find();
    expect(await state()).toBe(`stop: 7 days: 0 of 1 email in the inbox; 30 days: 1 of 3 emails in the inbox: ${elsewhere}`);
  });
});
