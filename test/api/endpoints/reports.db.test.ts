import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { DAY, HOUR } from '../../../src/core/clock.ts';
import type { EventType } from '../../../src/core/event-types.ts';
import { sql } from '../../../src/db/statement.ts';
import { foldEvents, markEmails, recordEvents } from '../../../src/events/index.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { testInstallation } from '../../support/database.ts';
import { member } from '../../support/people.ts';
import {
  type Enrolled,
  eventOf,
  insertAccount,
  insertCampaign,
  insertContact,
  insertEnrolment,
  insertMail,
  joinInGroup,
} from '../../support/rows.ts';

let app: App;
let daemon: Daemon;
let admin: ApiClient;
let accounts: number[];
let campaign: number;

/** Inserts an email of a step to a contact of group A or B at a domain, sent a number of days after noon UTC on 7 July. */
interface Sent {
  enrolment: Enrolled;
  emails: number[];
}

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
  accounts = [await insertAccount(app), await insertAccount(app)];
  // 14:00 UTC is the next day there.
  campaign = await insertCampaign(app, { timezone: 'Pacific/Kiritimati', account_id: accounts[0] }, [{}, {}]);
  const ada = await contact(campaign, 'A', 'one.example');
  const bob = await contact(campaign, 'B', 'One.Example');
  const eve = await contact(campaign, 'B', 'two.example');
  const dan = await contact(campaign, 'A', 'two.example', { is_shared_to_all: false });
  await happen(0, [ada, 1, 'sent'], [bob, 1, 'sent'], [eve, 1, 'sent'], [dan, 1, 'sent']);
  await happen(1, [ada, 1, 'opened'], [ada, 1, 'opened'], [bob, 1, 'bounced'], [dan, 1, 'opened']);
  await happen(3, [ada, 2, 'sent'], [eve, 2, 'sent']);
  await happen(9, [ada, 2, 'opened'], [eve, 2, 'opened'], [eve, 2, 'clicked'], [eve, 2, 'replied'], [ada, 2, 'unsubscribed']);
  await app.db.tx((tx) =>
    markEmails(tx, [
      { outboxId: eve.emails[0] ?? 0, mark: 'machine_opened', at: app.clock.now() },
      { outboxId: eve.emails[0] ?? 0, mark: 'machine_opened', at: app.clock.now() },
      { outboxId: ada.emails[1] ?? 0, mark: 'auto_replied', at: app.clock.now() },
    ]),
  );
});
afterAll(() => daemon?.stop());

/** A contact with emails of both steps in the outbox, the second from the other account. */
async function contact(campaignId: number, variant: 'A' | 'B', domain: string, values: object = {}): Promise<Sent> {
  const contactId = await insertContact(app, { email: `c${Math.random()}@${domain}`, ...values });
  const enrolment = await insertEnrolment(app, campaignId, { contact_id: contactId, variant });
  const steps = await app.db.query<{ id: number }>(sql`select id from steps where campaign_id = ${campaignId} order by step_order`);
  const emails: number[] = [];
  for (const [index, { id }] of steps.entries())
    emails.push(await insertMail(app, enrolment, { variant, step_id: id, step_order: index + 1, account_id: accounts[index] }));
  return { enrolment, emails };
}

const happen = (days: number, ...what: [Sent, number, EventType][]) =>
  app.db.tx((tx) =>
    recordEvents(
      tx,
      what.map(([{ enrolment, emails }, stepOrder, type]) =>
        eventOf(app, enrolment, type, {
          stepOrder,
          emailId: emails[stepOrder - 1],
          at: new Date(app.clock.now().getTime() + days * DAY + 2 * HOUR),
        }),
      ),
    ),
  );

const rowsOf = async (path: string, client = admin) => {
  const { status, body } = await client.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

const NAMES = [
  'contacts',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'replied',
  'auto_replied',
  'bounced',
  'unsubscribed',
  'machine_opened',
];
const WAYS = [
  ...['step', 'variant', 'day', 'account', 'provider', 'domain'],
  ...['step&until=2099-01-01', 'provider&until=2099-01-01', 'domain&until=2099-01-01'],
];
/** Returns the counts of rows, in the order of NAMES, by the key of each row. */
const figures = (rows: Record<string, unknown>[], key: string) =>
  Object.fromEntries(rows.map((row) => [String(row[key]), NAMES.map((name) => row[name]).join(' ')]));

describe('GET /campaigns/{id}/report', () => {
  it('counts each contact once, with the email it happened to first, by step', async () => {
    const { rows, total } = await rowsOf(`/campaigns/${campaign}/report`);
    expect(figures(rows, 'step_order')).toEqual({ 1: '4 4 3 2 0 0 0 1 0 1', 2: '0 2 2 1 1 1 1 0 1 0' });
    expect(NAMES.map((name) => total[name]).join(' ')).toBe('4 6 5 3 1 1 1 1 1 1');
  });

  it('by variant, by account, and by domain without regard to case', async () => {
    const by = async (what: string, key: string) => figures((await rowsOf(`/campaigns/${campaign}/report?by=${what}`)).rows, key);
    expect(await by('variant', 'variant')).toEqual({ A: '2 3 3 2 0 0 1 0 1 0', B: '2 3 2 1 1 1 0 1 0 1' });
    expect(await by('account', 'account_id')).toEqual({
      [accounts[0] ?? 0]: '4 4 3 2 0 0 0 1 0 1',
      [accounts[1] ?? 0]: '0 2 2 1 1 1 1 0 1 0',
    });
    expect(await by('domain', 'domain')).toEqual({ 'one.example': '2 3 2 1 0 0 1 1 1 0', 'two.example': '2 3 3 2 1 1 0 0 0 1' });
  });

  it('by provider that receives the email, once its domain was looked up, with the same sums before and after', async () => {
    const by = async () => figures((await rowsOf(`/campaigns/${campaign}/report?by=provider`)).rows, 'provider');
    expect(await by()).toEqual({ unknown: '4 6 5 3 1 1 1 1 1 1' });
    await foldEvents(app);
    expect(await by()).toEqual({ unknown: '4 6 5 3 1 1 1 1 1 1' });
    await app.db.query(sql`
      update mail_domains set provider = case domain when 'one.example' then 'google' else 'microsoft' end`);
    expect(await by()).toEqual({ google: '2 3 2 1 0 0 1 1 1 0', microsoft: '2 3 3 2 1 1 0 0 0 1' });
  });

  it('by day on which the email was sent, in the zone of the campaign', async () => {
    const { rows } = await rowsOf(`/campaigns/${campaign}/report?by=day`);
    expect(figures(rows, 'day')).toEqual({ '2026-07-08': '4 4 3 2 0 0 0 1 0 1', '2026-07-11': '0 2 2 1 1 1 1 0 1 0' });
    expect(rows[0].rates).toMatchObject({ opened: { count: 2, of: 3 }, bounced: { count: 1, of: 4 } });
  });

  it('since and until are days, or instants that fall on them', async () => {
    const total = async (query: string, by = 'step') => {
      const body = await rowsOf(`/campaigns/${campaign}/report?by=${by}&${query}`);
      return `${body.since} ${body.until} ${body.total.sent} ${body.total.rates_of}`;
    };
    for (const by of ['step', 'domain', 'variant']) {
      expect(await total('since=2026-07-09', by)).toBe('2026-07-09 null 2 emails');
      expect(await total('until=2026-07-08', by)).toBe('null 2026-07-08 4 emails');
    }
    expect(await total('since=2026-07-07T12:00:00Z&until=2026-07-10T10:00:00Z')).toBe('2026-07-08 2026-07-10 4 emails');
    expect(await total('since=2026-07-10T10:00:00Z')).toBe('2026-07-11 null 2 emails');
  });

  it('compares variants, and says that these are too few', async () => {
    const { comparison, rows } = await rowsOf(`/campaigns/${campaign}/report?by=variant`);
    expect(rows[0].rates).toMatchObject({ opened: { count: 2, of: 2, rate: 1 }, unsubscribed: { count: 1, of: 2 } });
    expect(comparison).toMatchObject([
      { rate: 'opened', difference: 0, too_few: true },
      { rate: 'clicked', difference: 1, too_few: true },
      { rate: 'replied', difference: 1, probability_b_better: 0.9, too_few: true },
    ]);
  });

  it('has its totals equal the statistics, the same for an admin and for one from whom a contact is hidden', async () => {
    const manager = apiClient(daemon.url ?? '', (await member(app, 'manager')).key);
    for (const client of [admin, manager])
      for (const by of WAYS) {
        const { total, rows } = await rowsOf(`/campaigns/${campaign}/report?by=${by}`, client);
        const stats = (await client.get(`/campaigns/${campaign}/stats`)).body;
        expect(stats.sent).toBe(6);
        for (const name of ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed']) {
          expect(total[name], `${by} ${name}`).toBe(stats[name]);
          expect(rows.reduce((sum: number, row: Record<string, number>) => sum + (row[name] ?? 0), 0)).toBe(stats[name]);
        }
      }
  });

  it('adds up the domains that have no row of their own', async () => {
    const { rows } = await rowsOf(`/campaigns/${campaign}/report?by=domain&domains=1`);
    expect(rows.map(({ domain, sent }: { domain: string | null; sent: number }) => [domain, sent])).toEqual([
      ['one.example', 3],
      [null, 3],
    ]);
  });

  it('answers 400 for what it cannot read, and 404 for what the key cannot see', async () => {
    for (const query of [
      'by=month',
      'since=tomorrow',
      'since=2026-02-30',
      'since=0000-01-01',
      'until=0001-01-01T00:00:00Z',
      'domains=0',
      'from=2026-01-01',
    ])
      expect((await admin.get(`/campaigns/${campaign}/report?${query}`)).status, query).toBe(400);
    const { body } = await admin.get(`/campaigns/${campaign}/report?since=tomorrow`);
    expect(body.error.message).toMatch(/since: must be a day such as 2026-01-31/);
    for (const report of [`/campaigns/${campaign}/report`, '/reports'])
      expect((await admin.get(`${report}?since=2026-03-01&until=2026-02-01`)).body.error.message).toBe(
        'until: must not be before since; the first day would be 2026-03-01, the last 2026-02-01',
      );
    expect((await admin.get('/campaigns/99999/report')).status).toBe(404);
    expect((await admin.get('/rotations/99999/report')).status).toBe(404);
  });
});

describe('GET /rotations/{id}/report and GET /reports', () => {
  it('add up the campaigns of a group, and all', async () => {
    const members: number[] = [];
    for (const account_id of accounts) members.push(await insertCampaign(app, { account_id, timezone: 'UTC' }));
    await joinInGroup(app, members);
    const [group] = members;
    for (const id of members) await happen(0, [await contact(id, 'A', 'three.example'), 1, 'sent']);
    const { total, rows } = await rowsOf(`/rotations/${group}/report?by=account`);
    const stats = (await admin.get(`/rotations/${group}`)).body;
    expect([total.sent, stats.sent, rows.length]).toEqual([2, 2, 1]);
    const all = await rowsOf('/reports');
    expect(
      all.rows.map((row: { campaign_id: number; rotation_id: number | null; sent: number }) => [
        row.campaign_id,
        row.rotation_id,
        row.sent,
      ]),
    ).toEqual([
      [campaign, null, 6],
      [members[0], group, 2],
    ]);
    expect(all.total.sent).toBe(8);
    expect(figures((await rowsOf('/reports?by=day&since=2026-07-08')).rows, 'day')).toEqual({
      '2026-07-08': '4 4 3 2 0 0 0 1 0 1',
      '2026-07-11': '0 2 2 1 1 1 1 0 1 0',
    });
    expect(
      (await rowsOf('/reports?by=account')).rows.map((row: { account_id: number; sent: number }) => [row.account_id, row.sent]),
    ).toEqual([
      [accounts[0], 6],
      [accounts[1], 2],
    ]);
  });
});
