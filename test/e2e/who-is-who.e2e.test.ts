import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { message } from '../support/inbound-mail.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * Who is who, from outside: a daemon, its command line and API, an SMTP server and an IMAP server. Each campaign is about one rule of
 * docs/what-a-message-proves.md; the next day shows who is still emailed.
 */

const [SENDER, REPLIES] = ['zoe@example.com', 'replies@example.com'];
const PASSWORD = 'correct horse';
const users = { [SENDER]: PASSWORD, [REPLIES]: PASSWORD };

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;
let smtp: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation({ tickSeconds: 0.2, pollIntervalSeconds: 60, baseUrl: 'https://links.example.com' });
  // Commands run as processes of their own, by the real clock: this one begins where that is, and is moved forward only.
  installation.clock.set(new Date());
  smtp = await startSmtpSink({ users });
  imap = await startImapServer({ users });
  daemon = await startDaemon(installation.app, { databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});

afterAll(async () => {
  await daemon?.stop();
  await smtp?.close();
  await imap?.close();
});

async function connect(address: string): Promise<number> {
  const user = encodeURIComponent(address);
  const connected = await cliOf(installation)(
    [
      ...['account', 'connect', address, '--batch-min', '50', '--batch-max', '50', '--window-start', '0', '--window-end', '24', '--json'],
      ...['--smtp-url', `smtp://${user}@127.0.0.1:${smtp.port}`, '--imap-url', `imap://${user}@127.0.0.1:${imap.port}`],
    ],
    { env: { OUTREACH_SMTP_PASSWORD: PASSWORD, OUTREACH_IMAP_PASSWORD: PASSWORD } },
  );
  return connected.json().id;
}

type People = Record<string, string>;

/** A running campaign of two emails, a day apart. @param people names by address */
async function campaign(accountId: number, name: string, people: People, options: object = {}): Promise<number> {
  const { id } = (await api.post('/campaigns', { name, account_id: accountId })).body;
  await api.patch(`/campaigns/${id}`, { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 });
  await api.patch(`/campaigns/${id}/options`, options);
  await api.post(`/campaigns/${id}/steps`, { subject: name, body_html: '<p>One</p>' });
  await api.post(`/campaigns/${id}/steps`, { body_html: '<p>Two</p>', wait_days: 1 });
  const contacts: number[] = [];
  for (const [email, person] of Object.entries(people)) contacts.push((await api.post('/contacts', { email, name: person })).body.id);
  await api.post(`/campaigns/${id}/contacts`, { contact_ids: contacts });
  await api.post(`/campaigns/${id}/activate`);
  return id;
}

const mailTo = (address: string) => {
  const found = smtp.messages.find(({ to }) => to[0] === address);
  if (found === undefined) throw new Error(`${address} got no email`);
  return found;
};

/** What somebody writes in the thread of the first email to an address. */
const answer = (address: string, from: string, words: string, headers: Record<string, string> = {}) => {
  const { headers: sent } = mailTo(address);
  return message({ From: from, 'In-Reply-To': sent.get('message-id') ?? '', Subject: `Re: ${sent.get('subject')}`, ...headers }, words);
};

/** The states of a campaign's contacts, in their order. */
const states = async (id: number): Promise<string[]> =>
  (await api.get(`/campaigns/${id}/contacts`)).body.data.map(({ status }: { status: string }) => status);

const suppressed = async (): Promise<string[]> =>
  (await api.get('/suppressions?limit=100')).body.data.map(({ email }: { email: string }) => email).sort();

/** Moves the clock from batch to batch until the emails are there. */
async function advanceUntil(what: string, done: () => boolean): Promise<void> {
  const { pool } = installation.app.db;
  for (let turn = 0; turn < 50 && !done(); turn++) {
    const { rows } = await pool.query('select min(next_batch_at) as next from accounts');
    const next = new Date(rows[0].next ?? Number.NaN).getTime();
    if (next > installation.clock.now().getTime()) installation.clock.set(new Date(next));
    await waitUntil(`the batch of ${installation.clock.now().toISOString()} is over`, async () => {
      const now = installation.clock.now();
      return (await pool.query('select 1 from accounts where next_batch_at <= $1 or batch_worker is not null', [now])).rows.length === 0;
    });
  }
  if (!done()) throw new Error(`after 50 batches still not: ${what}`);
}

it('R1, R3, R4, R5, R6, R8: nobody who has answered or opted out is emailed again, and nobody else is taken for them', async () => {
  const sender = await connect(SENDER);
  await connect(REPLIES);
  // R3: "One mailbox has several spellings".
  await api.post('/suppressions', { email: 'info@bücher.example' });
  const spelled = await campaign(sender, 'Spellings', { 'info@xn--bcher-kva.example': 'Info', 'plain@control.example': 'Pat' });
  expect((await api.post('/contacts', { email: 'INFO@BÜCHER.example' })).status).toBe(409);
  const copied = await campaign(sender, 'Copies', { 'ada@r1.example': 'Ada King' }, { cc: ['boss@partner.example'] });
  const promised = await campaign(sender, 'Promises', { 'cy@r4.example': 'Cy Young' });
  await api.patch(`/campaigns/${promised}`, { reply_to: REPLIES });
  const forwarded = await campaign(sender, 'Forwards', { 'ann@r5.example': 'Ann Lee', 'bob@r5.example': 'Bob Hope' });
  const company = await campaign(sender, 'Companies', { 'dan@r6.example': 'Dan Ray', 'eve@r6.example': 'Eve Fox' }, { stop_company: true });
  const main = await campaign(sender, 'Main addresses', {
    'j.mueller@r8.example': 'Jürgen Müller',
    'k.weber+tools@r8b.example': 'Kim Weber',
  });
  await advanceUntil('the first emails', () => smtp.messages.length >= 10);
  expect(smtp.messages.map(({ to }) => to[0]).sort()).toEqual([
    ...['ada@r1.example', 'ann@r5.example', 'bob@r5.example', 'boss@partner.example', 'cy@r4.example', 'dan@r6.example', 'eve@r6.example'],
    ...['j.mueller@r8.example', 'k.weber+tools@r8b.example', 'plain@control.example'],
  ]);
  expect(mailTo('cy@r4.example').headers.get('reply-to')).toContain(REPLIES);
  await api.patch(`/campaigns/${promised}`, { reply_to: null });

  // R1: the boss pushes "unsubscribe" in his email client, which writes from an alias.
  const [, token = ''] = /subject=(unsubscribe-[^>&]+)/.exec(mailTo('boss@partner.example').headers.get('list-unsubscribe') ?? '') ?? [];
  await imap.append(SENDER, 'INBOX', message({ From: 'The Boss <the.boss@gmail.com>', To: SENDER, Subject: token }, ''));
  // R4: "What an email promised stays promised".
  await imap.append(REPLIES, 'INBOX', answer('cy@r4.example', 'Cy <cy@r4.example>', 'Please remove me from your list.'));
  // R5: "A removal request stops and suppresses the mailed address and the address it came from".
  await imap.append(SENDER, 'INBOX', answer('ann@r5.example', 'Bob <bob@r5.example>', 'Please remove me from your list.'));
  // R6: "A request to be removed does all that a reply does".
  await imap.append(SENDER, 'INBOX', answer('dan@r6.example', 'Dan <dan@r6.example>', 'Please take us off your mailing list.'));
  // R8: people answer from their main address.
  await imap.append(
    SENDER,
    'INBOX',
    answer('j.mueller@r8.example', '=?utf-8?Q?M=C3=BCller,_J=C3=BCrgen?= <juergen.mueller@r8.example>', 'Call me.'),
  );
  await imap.append(SENDER, 'INBOX', answer('k.weber+tools@r8b.example', 'K. W. <k.weber@r8b.example>', 'Call me.'));
  installation.clock.advance(2 * MINUTE);
  await waitUntil('all letters have their effect', async () => {
    const all = [...(await states(promised)), ...(await states(forwarded)), ...(await states(company)), ...(await states(main))];
    return !all.includes('active') && (await suppressed()).length >= 7;
  });
  expect({
    spelled: await states(spelled),
    copied: await states(copied),
    promised: await states(promised),
    forwarded: await states(forwarded),
    company: await states(company),
    main: await states(main),
  }).toEqual({
    spelled: ['stopped', 'active'],
    copied: ['active'],
    promised: ['stopped'],
    forwarded: ['stopped', 'stopped'],
    company: ['stopped', 'stopped'],
    main: ['replied', 'replied'],
  });
  expect(await suppressed()).toEqual([
    ...['ann@r5.example', 'bob@r5.example', 'boss@partner.example', 'cy@r4.example', 'dan@r6.example', 'info@bücher.example'],
    'the.boss@gmail.com',
  ]);

  // The command line says who was recognised as whom, and why.
  const shown: Record<string, string> = {};
  for (const kind of ['reply', 'unsubscribe_request'])
    for (const { id, from } of (await api.get(`/replies?limit=50&kind=${kind}`)).body.data) {
      const { writer, because } = (await cliOf(installation)(['reply', 'show', String(id), '--json'])).json();
      shown[from] = `${writer}: ${because}`;
    }
  expect(shown).toEqual({
    'the.boss@gmail.com': 'copied: it answers a copy of the email',
    'cy@r4.example': 'contact: it comes from the address that was emailed',
    'bob@r5.example': 'colleague: another name in the same domain',
    'dan@r6.example': 'contact: it comes from the address that was emailed',
    'juergen.mueller@r8.example': 'contact: a name in common, and the same domain',
    'k.weber@r8b.example': 'contact: it comes from the mailbox that was emailed, with or without a tag or dots in the address',
  });

  // The next day: only who has neither answered nor opted out, and no copies for the boss.
  const before = smtp.messages.length;
  installation.clock.advance(DAY);
  await advanceUntil('the follow-ups', () => smtp.messages.length >= before + 2);
  await waitUntil('all campaigns are over', async () => {
    const campaigns = (await api.get('/campaigns?limit=50')).body.data;
    return campaigns.every(({ status }: { status: string }) => status === 'completed');
  });
  expect(
    smtp.messages
      .slice(before)
      .map(({ to }) => to[0])
      .sort(),
  ).toEqual(['ada@r1.example', 'plain@control.example']);
}, 300_000);
