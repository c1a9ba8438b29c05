import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import CampaignActivate from '../../commands/campaign/activate.ts';
import CampaignApply from '../../commands/campaign/apply.ts';
import CampaignExplain from '../../commands/campaign/explain.ts';
import CampaignReport from '../../commands/campaign/report.ts';
import { connectAccount } from '../../src/accounts/index.ts';
import { enrolPending } from '../../src/campaigns/index.ts';
import { HOUR } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { matchProviders } from '../../src/main/match-providers.ts';
import { afterFile } from '../support/after-file.ts';
import { CHROMIUM, startBrowser } from '../support/chromium.ts';
import { blocksOf, pageText } from '../support/docs.ts';
import { startImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import { mxOnly } from '../support/mx-only.ts';
import { PASSWORD, type SentMail } from '../support/polled-mailbox.ts';
import { runCommand } from '../support/run-command.ts';
import { batchesOf, giveMailbox } from '../support/sender.ts';
import { servedInstallation } from '../support/served.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

/**
 * docs/everything-on.md: its file is applied as it stands there and sent to contacts who open, click and answer by chance, with every rule
 * on. `PICTURES=write` writes the picture of its report.
 */

const PICTURE = 'docs/images/report.png';
const START = '2026-03-30T05:00:00Z';
const DAYS = 17;
const ACCOUNTS = ['anna@ours-google.com', 'ben@ours-microsoft.com'];
const PROVIDERS = ['google', 'microsoft', 'else'];
const FIRST = 'Ada Ben Cleo Dario Edith Farid Greta Hugo Ines Jonas Kira Liam'.split(' ');
const LAST = 'Abel Brandt Costa Diaz Eriksen Fischer Garcia Haas Ito Jensen'.split(' ');

const served = await servedInstallation({ baseUrl: 'https://links.example.com' });
const { app, api, clock, caller } = served;
const sink = await startSmtpSink({ users: { me: 'secret' } });
const imap = await startImapServer({ users: Object.fromEntries(ACCOUNTS.map((each) => [each, PASSWORD])) });
afterFile(async () => {
  await imap.close();
  await sink.close();
});
const folder = mkdtempSync(join(tmpdir(), 'outreach-everything-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: typeof Command, ...args: string[]) =>
  runCommand(command, args, { OUTREACH_URL: served.url, OUTREACH_API_KEY: served.adminKey });
const EXCHANGES = { google: 'aspmx.l.google.com', microsoft: 'x.mail.protection.outlook.com', else: 'mx.else.net' };
const dns = mxOnly(async (name) => [{ priority: 1, exchange: EXCHANGES[/-(\w+)\.com$/.exec(name)?.[1] as keyof typeof EXCHANGES] }]);

interface Sent extends SentMail {
  workspaceId: number;
  stepOrder: number;
  variant: string;
  account: string;
  campaign: string;
  /** Local time of the campaign. */
  day: string;
  hour: number;
}
/** The emails that the sink has, by their Message-ID. */
const emails = () =>
  app.db.query<Sent>(sql`
    select o.id as "outboxId", o.workspace_id as "workspaceId", o.enrolment_id as "enrolmentId", o.contact_id as "contactId",
      o.campaign_id as "campaignId", o.message_id as "messageId", o.recipient, o.step_order as "stepOrder", o.variant, a.email as account,
      c.name as campaign, to_char(o.accepted_at at time zone 'Europe/Berlin', 'YYYY-MM-DD') as day,
      extract(hour from o.accepted_at at time zone 'Europe/Berlin')::int as hour
    from outbox o join accounts a on a.id = o.account_id join campaigns c on c.id = o.campaign_id where o.accepted_at is not null order by o.id`);

/** All that `explain` said, and when a person had marked the replies. */
const said = new Set<string>();

async function world(): Promise<number[]> {
  clock.set(START);
  const accounts: number[] = [];
  for (const email of ACCOUNTS) {
    const smtp = { server: parseMailUrl(`smtp://me@127.0.0.1:${sink.port}`, 'smtp').server, secret: { pass: 'secret' } };
    const batches = { send_batch_min: 4, send_batch_max: 4, send_batch_interval_minutes: 30, daily_send_limit: 200 };
    const settings = { ...batches, send_window_start_hour: 0, send_window_end_hour: 24 };
    const { id } = await connectAccount(app, caller, { email, provider: 'smtp', smtp, settings });
    await giveMailbox(served, id, imap.port);
    accounts.push(id);
  }
  const { body: list } = await api.post('/lists', { name: 'Fair visitors' });
  const contacts = Array.from({ length: 120 }, (_, index) => {
    const company = Math.floor(index / 4);
    return {
      name: `${FIRST[index % FIRST.length]} ${LAST[Math.floor(index / FIRST.length)]}`,
      email: `p${index}@company-${company}-${PROVIDERS[company % 3]}.com`,
      company: index % 5 === 0 ? null : `Company ${company}`,
      list_ids: [list.id],
    };
  });
  for (const contact of contacts) expect((await api.post('/contacts', contact)).status).toBe(201);
  return accounts;
}

async function explain(): Promise<void> {
  for (const line of (await run(CampaignExplain, 'Spring fair')).stdout.split('\n')) said.add(line);
}

/** What people do with new emails: some open, click or answer, those of group B more often. @returns whether somebody answered */
async function react(news: readonly Sent[], random: ReturnType<typeof seededRandom>): Promise<boolean> {
  let isAnswered = false;
  for (const mail of news) {
    const luck = random.integer(1, 100);
    const more = mail.variant === 'B' ? 8 : 0;
    const event = (type: 'opened' | 'clicked') => ({
      ...mail,
      type,
      at: clock.now(),
      url: type === 'clicked' ? 'https://example.com/' : null,
    });
    const events = [...(luck <= 55 + more ? [event('opened')] : []), ...(luck <= 16 + more ? [event('clicked')] : [])];
    await app.db.tx((tx) => recordEvents(tx, events));
    if (luck > 6 + more / 2) continue;
    isAnswered = true;
    const headers = { To: mail.account, From: `<${mail.recipient}>` };
    await imap.append(mail.account, 'INBOX', reply(mail, headers, 'That sounds good, tell me more.'));
  }
  return isAnswered;
}

/** A person marks every answer as interested. */
async function label(): Promise<void> {
  for (const { id, label: given } of (await api.get('/replies?limit=100')).body.data)
    if (given === null) expect((await api.patch(`/replies/${id}`, { label: 'interested' })).status).toBe(200);
}

beforeAll(async () => {
  const accounts = await world();
  writeFileSync(join(folder, 'prices.pdf'), '%PDF-1.7 prices');
  writeFileSync(join(folder, 'fair.yaml'), blocksOf('docs/everything-on.md', 'yaml')[0]?.text ?? '');
  expect(await run(CampaignApply, join(folder, 'fair.yaml'), '--yes')).toMatchObject({ status: 0, stderr: '' });
  await explain();
  expect((await run(CampaignActivate, 'Spring fair')).status).toBe(0);
  await explain();
  const [batches, poller, random] = [batchesOf(app), new MailboxPoller(app), seededRandom(3)];
  for (let [half, known] = [0, 0]; half < DAYS * 48; half++) {
    clock.advance(HOUR / 2);
    if (clock.now().getUTCHours() < 6 || clock.now().getUTCHours() > 15) continue;
    await matchProviders(app, dns);
    for (const { id } of await app.db.query<{ id: number }>(sql`select distinct campaign_id as id from pending_enrolments`))
      await enrolPending(app, id, new AbortController().signal);
    for (const id of accounts) await batches.run(id);
    const news = (await emails()).slice(known);
    known += news.length;
    if (await react(news, random)) {
      for (const id of accounts) await poller.poll(id);
      await label();
      await run(CampaignActivate, 'Fair, with interest');
    }
    if (half % 4 === 0) await explain();
  }
}, 600_000);

describe('a campaign with every rule on', () => {
  it('explains each rule that holds an email in the words of the page', () => {
    const [, table = ''] = /\| rule \|[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n)+)/.exec(pageText('docs/everything-on.md')) ?? [];
    const sentences = [...table.matchAll(/\| ([^|]+) \|$/gm)].map(([, sentence = '']) => sentence);
    expect(sentences.length).toBeGreaterThanOrEqual(9);
    expect(
      sentences.filter((sentence) => !said.has(sentence)),
      [...said].join('\n'),
    ).toEqual([]);
  });

  it('breaks none of them', async () => {
    const all = await emails();
    const sent = all.filter(({ campaign }) => campaign.startsWith('Spring fair'));
    expect(sent.length).toBeGreaterThan(200);
    const most = (keys: string[]) => Math.max(...[...Map.groupBy(keys, (key) => key).values()].map((group) => group.length));
    expect(most(sent.filter(({ stepOrder }) => stepOrder === 1).map(({ day }) => day))).toBeLessThanOrEqual(20);
    expect(most(sent.map(({ day, recipient }) => `${day} ${recipient.split('@')[1]}`))).toBeLessThanOrEqual(2);
    expect(most(sent.map(({ enrolmentId, stepOrder }) => `${enrolmentId} ${stepOrder}`))).toBe(1);
    for (const { day, hour, account, recipient } of sent) {
      expect(['2026-04-03', '2026-04-06'], 'Good Friday, Easter Monday').not.toContain(day);
      expect([0, 6], day).not.toContain(new Date(day).getUTCDay());
      expect([9, 10, 11, 14, 15, 16]).toContain(hour);
      const provider = /-(google|microsoft)\.com$/.exec(recipient)?.[1];
      if (provider !== undefined) expect(account, recipient).toContain(provider);
    }
    const copies = sink.messages.filter(({ to }) => to.includes('crm@ours-google.com'));
    expect(copies).toHaveLength(sent.length);
    for (const { raw, headers } of sink.messages)
      if (!headers.get('subject')?.startsWith('Re: ') && !headers.get('subject')?.startsWith('Your visit'))
        expect(String(raw)).toContain('filename=prices.pdf');
    // Whoever answered was enrolled in the other campaign by the label.
    expect(all.filter(({ campaign }) => campaign === 'Fair, with interest').length).toBeGreaterThan(0);
  });

  it('has a report that adds up, and a page of it, of which the docs have the picture', async () => {
    const totals = new Set<string>();
    for (const by of ['step', 'variant', 'day', 'account', 'provider', 'domain']) {
      const { rows, total } = JSON.parse((await run(CampaignReport, 'Spring fair', '--by', by, '--json')).stdout);
      for (const measure of ['sent', 'opened', 'clicked', 'replied'])
        expect(
          rows.reduce((sum: number, row: Record<string, number>) => sum + (row[measure] ?? 0), 0),
          `${by} ${measure}`,
        ).toBe(total[measure]);
      totals.add(`${total.sent} ${total.opened} ${total.clicked} ${total.replied}`);
    }
    expect([...totals]).toHaveLength(1);
    const page = join(folder, 'report.html');
    expect((await run(CampaignReport, 'Spring fair', '--html', page)).status).toBe(0);
    if (CHROMIUM === undefined || process.env.PICTURES !== 'write') return;
    mkdirSync('docs/images', { recursive: true });
    const browser = await startBrowser();
    const tab = await browser.newPage({ viewport: { width: 1_100, height: 900 }, colorScheme: 'light' });
    await tab.goto(pathToFileURL(page).href);
    await tab.screenshot({ path: PICTURE, fullPage: true, clip: { x: 0, y: 0, width: 1_100, height: 1_900 } });
  });
});
