import { describe, expect, it } from 'vitest';
import { changeCampaign, createRotation } from '../../src/campaigns/index.ts';
import { createCustomField } from '../../src/contacts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { localDay } from '../../src/core/zone.ts';
import { sql } from '../../src/db/statement.ts';
import { matchProviders } from '../../src/main/match-providers.ts';
import { explainCampaign, type ForecastRow, forecastCampaign, forecastRotation } from '../../src/sending/index.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { mxOnly } from '../support/mx-only.ts';
import { batchesOf, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, caller, clock } = installation;
const ZONE = 'Europe/Berlin';
const people = (name: string, domains: readonly string[]) => domains.map((domain, index) => ({ email: `${name}-${index}@${domain}` }));

/** Lets each account send its batches as they become due, earliest first, for two months or until nothing is planned. */
async function sendAll(accountIds: readonly number[]): Promise<void> {
  const batches = batchesOf(app);
  const end = clock.now().getTime() + 60 * DAY;
  for (let count = 0; count < 300; count++) {
    const [next] = await app.db.query<{ id: number; at: Date }>(sql`
      select id, next_batch_at as at from accounts where id = any(${accountIds}::int[]) and next_batch_at is not null order by 2, 1 limit 1`);
    if (next === undefined || next.at.getTime() > end) return;
    if (next.at > clock.now()) clock.set(next.at);
    await batches.run(next.id);
  }
  throw new Error('the accounts never came to rest');
}

const sentOf = (campaignIds: readonly number[]) =>
  app.db.query<Pick<ForecastRow, 'email' | 'step_order' | 'send_at'> & { at: Date }>(sql`
    select t.email, v.step_order, v.at, to_char(v.at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as send_at
    from events v join contacts t on t.id = v.contact_id where v.campaign_id = any(${campaignIds}::int[]) and v.type = 'sent' order by v.at, v.id`);
const inOrder = (rows: readonly Pick<ForecastRow, 'email' | 'step_order' | 'send_at'>[]) =>
  rows.map(({ email, step_order, send_at }) => `${send_at} step ${step_order} ${email}`).sort();
const perDay = (rows: readonly { at: Date }[]) =>
  Object.values(Object.groupBy(rows, ({ at }) => localDay(at, ZONE))).map((day) => day?.length);
const STEPS = [{ subject: 'One' }, { wait_days: 1, body_html: 'Two' }];

describe('account.limit_reached', () => {
  const account = { timezone: ZONE, send_window_start_hour: 9, send_window_end_hour: 18, daily_send_limit: 2 };
  const told = async ({ accountId }: { accountId: number }) => {
    const messages = await app.db.query<{ data: object }>(sql`
      select data->'account' as data from webhook_deliveries
      where type = 'account.limit_reached' and (data->'account'->>'id')::int = ${accountId} order by id`);
    const lines = await app.db.query(sql`
      select from audit_log where resource_type = 'account' and resource_id = ${accountId} and action = 'account.reach_limit'`);
    expect(lines).toHaveLength(messages.length);
    return messages.map(({ data }) => data);
  };

  it('is published once on each local day on which the daily limit holds up emails', async () => {
    await createWebhook(app, caller, { url: 'https://hooks.example.com/', types: ['account.limit_reached'] });
    const sender = await startSender(installation, sink, { account, contacts: people('limit', Array(5).fill('acme.example')) });
    expect(await sender.batch()).toMatchObject({ sent: 2 });
    const [{ email } = { email: '' }] = await app.db.query<{ email: string }>(
      sql`select email from accounts where id = ${sender.accountId}`,
    );
    const first = { id: sender.accountId, email, day: '2026-07-07', daily_limit: 2 };
    expect(await told(sender)).toEqual([first]);
    // Woken again on the same day, by an enrolment for example.
    clock.advance(60 * 60_000);
    await sender.batch();
    expect(await told(sender)).toEqual([first]);
    // On the next day two are sent, and the last one waits; on the third day none waits.
    await sendAll([sender.accountId]);
    expect(await told(sender)).toEqual([first, { ...first, day: '2026-07-08' }]);
  });

  it.each([
    ['nobody is left', 2, {}],
    ['the sending hours of the campaign are over anyway', 3, { timezone: ZONE, sending_hour_start: 9, sending_hour_end: 15 }],
  ])('is not, when %s', async (_, contacts, campaign) => {
    // 14:59 in Berlin; the second email would be sent a minute later.
    clock.set(new Date('2026-07-07T12:59:00Z'));
    const gap = { send_batch_min: 2, send_batch_max: 2, send_batch_interval_minutes: 30 };
    const sender = await startSender(installation, sink, {
      ...{ account: { ...account, ...gap }, campaign },
      contacts: people(`none-${contacts}`, Array(contacts).fill('acme.example')),
    });
    expect(await sender.batch()).toMatchObject({ sent: 2 });
    expect(await told(sender)).toEqual([]);
  });
});

describe('C4: new_contacts_per_day', () => {
  it('caps the first emails of a local day and leaves follow-ups alone; explain names it, and the forecast is what is sent', async () => {
    const sender = await startSender(installation, sink, {
      account: { send_batch_min: 2, send_batch_max: 2, send_batch_interval_minutes: 30 },
      campaign: { timezone: ZONE, sending_hour_start: 9, sending_hour_end: 18, new_contacts_per_day: 3 },
      steps: STEPS,
      contacts: people('new', Array(8).fill('acme.example')),
    });
    const forecast = await forecastCampaign(app, caller, sender.campaignId, 100);
    for (let batch = 0; batch < 2; batch++) {
      await sender.batch();
      clock.advance(30 * 60_000);
    }
    const { reasons, next_send_at } = await explainCampaign(app, caller, sender.campaignId);
    expect(reasons).toEqual([
      expect.stringMatching(/^The campaign has reached its limit of 3 first emails a day \(new_contacts_per_day\); more are sent from /),
    ]);
    await sendAll([sender.accountId]);
    const sent = await sentOf([sender.campaignId]);
    expect(sent.find(({ send_at }) => send_at >= (next_send_at ?? ''))?.send_at).toBe(next_send_at);
    expect(perDay(sent.filter(({ step_order }) => step_order === 1))).toEqual([3, 3, 2]);
    expect(inOrder(sent)).toEqual(inOrder(forecast));
  });

  it('holds for a rotation group: accounts that send at the same time share it, and the forecast knows', async () => {
    const account = { send_batch_min: 2, send_batch_max: 2, send_batch_interval_minutes: 45 };
    const other = await startSender(installation, sink, { account });
    const first = await startSender(installation, sink, {
      account,
      campaign: { timezone: ZONE, sending_hour_start: 9, sending_hour_end: 18, new_contacts_per_day: 3 },
      steps: STEPS,
      contacts: people('group', Array(8).fill('many.example')),
    });
    const group = await createRotation(app, caller, first.campaignId, [other.accountId]);
    const ids = group.members.map(({ campaign_id }) => campaign_id);
    await other.batch();
    const batches = batchesOf(app);
    await Promise.all([first, other].map(({ accountId }) => batches.run(accountId)));
    expect((await sentOf(ids)).length).toBeLessThanOrEqual(3);
    const before = (await sentOf(ids)).length;
    const forecast = await forecastRotation(app, caller, group.id, 100);
    await sendAll([first.accountId, other.accountId]);
    const sent = await sentOf(ids);
    expect(perDay(sent.filter(({ step_order }) => step_order === 1))).toEqual([3, 3, 2]);
    expect(inOrder(sent.slice(before)).map((line) => line.slice(0, 26))).toEqual(inOrder(forecast).map((line) => line.slice(0, 26)));
  });
});

describe('C4: max_per_company_per_day', () => {
  it('caps the emails of a local day to one domain, except a mailbox provider’s; whoever is beyond it is held, and the forecast knows', async () => {
    const sender = await startSender(installation, sink, {
      campaign: { timezone: ZONE, sending_hour_start: 9, sending_hour_end: 18, max_per_company_per_day: 1 },
      steps: STEPS,
      contacts: people('company', ['acme.example', 'Acme.example', 'gmail.com', 'gmail.com', 'solo.example', 'acme.example']),
    });
    const forecast = await forecastCampaign(app, caller, sender.campaignId, 100);
    await sender.batch();
    expect((await sentOf([sender.campaignId])).map(({ email }) => email)).toEqual([
      'company-0@acme.example',
      'company-2@gmail.com',
      'company-3@gmail.com',
      'company-4@solo.example',
    ]);
    const { reasons } = await explainCampaign(app, caller, sender.campaignId);
    expect(reasons.join()).toMatch(
      /2 contacts are held, the first until .*, for example: acme\.example has had its 1 email of the day \(max_per_company_per_day\)/,
    );
    await sendAll([sender.accountId]);
    const sent = await sentOf([sender.campaignId]);
    expect(new Set(perDay(sent.filter(({ email }) => /acme/i.test(email))))).toEqual(new Set([1]));
    expect(sent).toHaveLength(12);
    expect(inOrder(sent)).toEqual(inOrder(forecast));
  });

  it('lets whoever is held go on as soon as the limit is another one', async () => {
    const sender = await startSender(installation, sink, {
      campaign: { max_per_company_per_day: 1 },
      contacts: people('raised', ['big.example', 'big.example', 'big.example']),
    });
    await sender.batch();
    expect(await sentOf([sender.campaignId])).toHaveLength(1);
    await changeCampaign(app, caller, sender.campaignId, { max_per_company_per_day: null });
    clock.advance(61 * 60_000);
    await sender.batch();
    expect(await sentOf([sender.campaignId])).toHaveLength(3);
  });
});

it('a contact whose own zone is that of the campaign is claimed once, beside others without a zone', async () => {
  const steps = [{ subject: 'One' }, { body_html: 'Two' }];
  await createCustomField(app, caller, { name: 'Timezone', field_type: 'text' });
  const campaign = { timezone: ZONE, use_contact_timezone: true, new_contacts_per_day: 2 };
  const zoned = (index: number) => ({
    email: `zone-${index}@other-${index}.example`,
    ...(index === 2 ? {} : { custom_fields: { timezone: ZONE } }),
  });
  const sender = await startSender(installation, sink, { campaign, steps, contacts: [0, 1, 2, 3].map(zoned) });
  expect(await sender.batch()).toMatchObject({ sent: 2 });
  await app.db.query(sql`update accounts set last_batch_at = null where id = ${sender.accountId}`);
  // The two contacts in Berlin are due for follow-ups, the others for first emails, for which the limit has no room today.
  expect(await sender.batch()).toMatchObject({ sent: 2 });
  const sent = await sentOf([sender.campaignId]);
  expect(sent.map(({ email, step_order }) => `${email.slice(0, 6)} ${step_order}`)).toEqual([
    'zone-0 1',
    'zone-1 1',
    'zone-0 2',
    'zone-1 2',
  ]);
});

describe('C4: every rule together', () => {
  it('what was sent is the forecast, email by email and account by account, over a whole campaign of a rotation group', async () => {
    const account = {
      send_batch_min: 2,
      send_batch_max: 2,
      send_batch_interval_minutes: 50,
      send_window_start_hour: 8,
      send_window_end_hour: 22,
    };
    const other = await startSender(installation, sink, { account });
    await app.db.query(sql`update accounts set email = 'me@ours.com' where id = ${other.accountId}`);
    const first = await startSender(installation, sink, {
      account,
      campaign: {
        ...{
          timezone: ZONE,
          sending_hour_start: 9,
          sending_hour_end: 12,
          more_hours: ['14-17'],
          sending_days: [1, 2, 3, 4, 5],
          holidays: 'FR',
        },
        ...{ new_contacts_per_day: 5, max_per_company_per_day: 1, provider_match: 'require' },
      },
      steps: [{ subject: 'One' }, { wait_days: 2, business_days: true, body_html: 'Two' }, { wait_hours: 30, body_html: 'Three' }],
      contacts: people('every', ['acme.com', 'acme.com', 'big.com', 'gmail.com', 'big.com', 'solo.com', 'acme.com', 'gmail.com']),
    });
    const { id, members } = await createRotation(app, caller, first.campaignId, [other.accountId]);
    const ids = members.map(({ campaign_id }) => campaign_id);
    const accounts = [first.accountId, other.accountId];
    const { google, microsoft, elsewhere } = {
      google: 'aspmx.l.google.com',
      microsoft: 'x.mail.protection.outlook.com',
      elsewhere: 'mx.else.net',
    };
    const servers: Record<string, string> = {
      'acme.com': google,
      'gmail.com': google,
      'big.com': microsoft,
      'ours.com': microsoft,
      'solo.com': elsewhere,
    };
    await matchProviders(
      app,
      mxOnly(async (name) => [{ priority: 1, exchange: servers[name] ?? google }]),
    );
    const forecast = await forecastRotation(app, caller, id, 100);
    await sendAll(accounts);
    const sent = await sentOf(ids);
    expect(sent).toHaveLength(24);
    expect(inOrder(sent)).toEqual(inOrder(forecast));
    const pairs = sink.messages.slice(-24).map(({ from, to }) => `${from} ${to}`);
    expect(pairs.sort()).toEqual(forecast.map((row) => `${row.account_email} ${row.email}`).sort());
    expect(sent.map(({ send_at }) => send_at.slice(0, 10))).not.toContain('2026-07-14');
  });
});
