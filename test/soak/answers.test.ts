import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { campaignCounts } from '../../src/events/index.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { testInstallation } from '../support/database.ts';
import { appleMail, type EmailClient, gmail, iphone, outlook, thunderbird } from '../support/email-clients.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { PASSWORD } from '../support/polled-mailbox.ts';
import { insertRow } from '../support/rows.ts';
import { giveMailbox, nextSenders, startSender } from '../support/sender.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

const PEOPLE: Record<string, EmailClient> = { gmail, outlook, apple: appleMail, thunderbird, iphone };
const NAMES = Object.keys(PEOPLE);
const addressOf = (name: string) => `${name}@recipient.example`;
const [ZOE = ''] = Object.keys(nextSenders());

const installation = await testInstallation({ tickSeconds: 0.2 });
const { app, caller, clock } = installation;
let smtp: SmtpSink;
let imap: ImapServer;
let daemon: Daemon;
let api: ApiClient;
let accountId: number;
let delivered = 0;

beforeAll(async () => {
  clock.set(new Date());
  smtp = await startSmtpSink({ users: { me: 'secret' } });
  imap = await startImapServer({ users: Object.fromEntries([ZOE, ...NAMES.map(addressOf)].map((user) => [user, PASSWORD])) });
  const account = { from_name: 'Zoë', send_window_start_hour: 0, send_window_end_hour: 24, timezone: 'Europe/Berlin' };
  const sender = await startSender(installation, smtp, {
    account,
    campaign: { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 },
    steps: [{ subject: 'A question', body_html: '<p>Dear {{name}},</p><p>may I ask for ten minutes?</p>' }, { wait_days: 3 }],
    contacts: NAMES.map((name) => ({ email: addressOf(name), name: `Ada ${name}` })),
  });
  ({ accountId } = sender);
  expect(await giveMailbox(installation, accountId, imap.port)).toBe(ZOE);
  const signature = await insertRow(app, 'templates', {
    ...{ workspace_id: 1, name: 'S', type: 'signature', body_html: '<p>Zoë Miller, Sales</p>', created_by: 1 },
    ...{ created_at: clock.now(), updated_at: clock.now() },
  });
  await setAccount(app, caller, accountId, { signature_template_id: Number(signature) });
  daemon = await startDaemon(app, { databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});

afterAll(async () => {
  await daemon?.stop();
  await smtp?.close();
  await imap?.close();
});

/** Lets the daemon work, its clock going on, until something holds. */
const eventually = (what: string, holds: () => Promise<boolean>) =>
  waitUntil(
    what,
    async () => {
      clock.advance(5 * SECOND);
      return holds();
    },
    60,
  );

/** Puts what the SMTP server took into the mailboxes of those it is for, as theirs does. */
async function deliver(count: number): Promise<void> {
  await eventually(`${count} emails were sent`, async () => smtp.messages.length >= delivered + count);
  for (; delivered < smtp.messages.length; delivered++) {
    const message = smtp.messages[delivered];
    await imap.append(message?.to[0] ?? '', 'INBOX', message?.raw ?? '');
  }
}

const inboxOf = async (name: string): Promise<Email[]> =>
  Promise.all((await imap.messages(addressOf(name), 'INBOX')).map(({ raw }) => new PostalMime().parse(raw)));
const referencesOf = (email: Email) => (email.references ?? '').split(/\s+/).filter(Boolean);

/** Has everybody reply to the newest email in their mailbox. Returns the Message-IDs of the replies by name. */
async function replyAll(words: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [name, program] of Object.entries(PEOPLE)) {
    const email = (await inboxOf(name)).at(-1) as Email;
    const raw = program({
      from: { address: addressOf(name), name: `Ada ${name}` },
      to: { address: ZOE, name: 'Zoë' },
      subject: email.subject ?? '',
      messageId: email.messageId ?? '',
      references: referencesOf(email),
      quoted: (email.text ?? '').trim().split(/\r?\n/),
      quotedAt: new Date(email.date ?? ''),
      words,
    });
    await imap.append(ZOE, 'INBOX', raw);
    ids.set(name, /^Message-ID: (.*)$/m.exec(raw)?.[1]?.trim() ?? '');
  }
  return ids;
}

interface Listed {
  id: number;
  from: string;
}

const unread = async () => (await api.get('/replies?is_read=false&limit=50')).body as { data: Listed[]; pagination: { total: number } };

it('sent, answered in five email clients, listed, read, labelled, answered, and all that again', async () => {
  await deliver(5);
  const first = new Map(await Promise.all(NAMES.map(async (name) => [name, (await inboxOf(name))[0]?.messageId ?? ''] as const)));

  // Umlauts, a line that begins with "On", an ampersand and a bracket: words that a program must quote or encode.
  const words = ['Sehr gern, 10 < 20 Minuten & Kaffee.', 'On Tuesday I am in Köln.'];
  const replies = await replyAll(words);
  await eventually('five replies are listed', async () => (await unread()).pagination.total === 5);
  const listed = (await unread()).data;
  expect(listed.map(({ from }) => from).sort()).toEqual(NAMES.map(addressOf).sort());
  // Outlook's lines are paragraphs.
  const snippet = /^Sehr gern, 10 < 20 Minuten & Kaffee\.\n+On Tuesday I am in Köln\.$/;
  for (const { id, from } of listed)
    expect((await api.get(`/replies/${id}`)).body, from).toMatchObject({
      ...{ kind: 'reply', from, subject: 'Re: A question', snippet: expect.stringMatching(snippet), label: null, is_read: false },
      text: expect.stringContaining('may I ask for ten minutes?'),
      thread: [
        { type: 'step', to: from },
        { type: 'reply', from },
      ],
    });

  for (const { id } of listed) {
    expect((await api.patch(`/replies/${id}`, { label: 'meeting', is_read: true })).body).toMatchObject({
      label: 'meeting',
      is_read: true,
    });
    expect((await api.post(`/replies/${id}/answer`, { text: 'Tuesday, then.\n\nAt ten?' })).status).toBe(200);
  }
  expect((await unread()).pagination.total).toBe(0);
  await deliver(5);
  const answers = new Map<string, string>();
  for (const name of NAMES) {
    const inbox = await inboxOf(name);
    expect(inbox, name).toHaveLength(2);
    const answer = inbox[1] as Email;
    expect(answer).toMatchObject({ from: { address: ZOE, name: 'Zoë' }, subject: 'Re: A question', inReplyTo: replies.get(name) });
    expect(referencesOf(answer)).toEqual([first.get(name), replies.get(name)]);
    expect(answer.text).toMatch(/^Tuesday, then\.\n\nAt ten\?\n\nZoë Miller, Sales\n\nOn .* wrote:\n\n> /);
    expect(answer.text).toMatch(/^> Sehr gern, 10 < 20 Minuten & Kaffee\.$/m);
    expect(answer.html).toMatch(/<blockquote type="cite">.*Sehr gern, 10 &lt; 20 Minuten &amp; Kaffee/);
    expect(answer.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
    answers.set(name, answer.messageId ?? '');
  }

  const again = await replyAll(['Splendid, see you there.']);
  await eventually('five more are listed', async () => (await unread()).pagination.total === 5);
  for (const { id, from } of (await unread()).data) {
    const read = (await api.get(`/replies/${id}`)).body;
    expect(read, from).toMatchObject({ kind: 'reply', snippet: 'Splendid, see you there.' });
    expect(read.thread.map(({ type, state }: { type: string; state: string }) => [type, state])).toEqual([
      ...[
        ['step', null],
        ['reply', null],
        ['answer', 'sent'],
        ['reply', null],
      ],
    ]);
    expect((await api.post(`/replies/${id}/answer`, { body_html: '<p>So do I.</p>' })).status).toBe(200);
  }
  await deliver(5);
  for (const name of NAMES) {
    const answer = (await inboxOf(name))[2] as Email;
    expect(answer).toMatchObject({ subject: 'Re: A question', inReplyTo: again.get(name) });
    expect(referencesOf(answer)).toEqual([first.get(name), replies.get(name), answers.get(name), again.get(name)]);
  }

  const sentFolder = () => imap.messages(ZOE, 'Sent');
  await eventually('all answers are in the Sent folder', async () => (await sentFolder()).length >= 10);
  expect((await sentFolder()).map(({ raw }) => raw.toString()).sort()).toEqual(
    smtp.messages
      .slice(5)
      .map(({ raw }) => raw.toString())
      .sort(),
  );
  expect((await api.get('/replies?label=meeting')).body.pagination.total).toBe(5);
  expect(await app.db.query(sql`select sent, replied from (${campaignCounts(sql`select id from campaigns`)}) n`)).toEqual([
    { sent: 5, replied: 5 },
  ]);
  expect(await app.db.query(sql`select from sent_copies`)).toEqual([]);
});
