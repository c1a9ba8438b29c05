import { expect, it } from 'vitest';
import { type CampaignPatch, changeCampaign, createRotation } from '../../src/campaigns/index.ts';
import { createCustomField } from '../../src/contacts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { matchProviders } from '../../src/main/match-providers.ts';
import { forecastCampaign, forecastRotation } from '../../src/sending/index.ts';
import { mxOnly } from '../support/mx-only.ts';
import { batchesOf, sendingInstallation, startSender } from '../support/sender.ts';

/**
 * C4: the forecast over a whole campaign is the planner itself. Where nobody answers and batches have one size, it is what is then sent,
 * email by email: time, step, contact and account. Rotation groups with every rule at random beside a campaign on one of their accounts.
 */

const { installation, sink } = await sendingInstallation();
const { app, caller, clock } = installation;
await createCustomField(app, caller, { name: 'Timezone', field_type: 'text' });

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', undefined];
const EXCHANGES: Record<string, string> = { google: 'aspmx.l.google.com', microsoft: 'x.mail.protection.outlook.com' };
const dns = mxOnly(async (name) => [{ priority: 1, exchange: EXCHANGES[/-(\w+)\.com$/.exec(name)?.[1] ?? ''] ?? 'mx.else.net' }]);

const oneOf = <Item>(random: Random, items: readonly Item[]): Item => items[random.integer(0, items.length - 1)] as Item;

const people = (random: Random, name: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const timezone = oneOf(random, ZONES);
    const domain = `company-${random.integer(1, Math.ceil(count / 3))}-${oneOf(random, ['google', 'microsoft', 'else'])}.com`;
    return { email: `${name}-${index}@${domain}`, custom_fields: timezone === undefined ? {} : { timezone } };
  });

const rules = (random: Random): CampaignPatch => ({
  timezone: oneOf(random, ['Europe/Berlin', 'America/New_York', 'UTC']),
  sending_days: oneOf(random, [
    [1, 2, 3, 4, 5],
    [1, 3, 5],
    [1, 2, 3, 4, 5, 6, 7],
  ]),
  ...{ sending_hour_start: random.integer(7, 9), sending_hour_end: random.integer(11, 13), more_hours: ['14-17'] },
  ...(random.integer(0, 1) === 1 ? { ab_test_enabled: true, sending_hour_start_b: 10, sending_hour_end_b: 15 } : {}),
  holidays: oneOf(random, ['DE-BY', 'US', 'FR', null]),
  use_contact_timezone: random.integer(0, 1) === 1,
  new_contacts_per_day: oneOf(random, [null, 15, 40]),
  max_per_company_per_day: oneOf(random, [null, 1, 2]),
  provider_match: oneOf(random, ['off', 'prefer', 'require'] as const),
  ...{ spintax: true, stop_company: true, skip_if_in_campaign: 'active' as const, bcc: ['crm@ours-else.com'] },
});

const steps = (random: Random) => [
  { subject: '{One|Once}, {{first_name}}' },
  { wait_days: random.integer(1, 3), business_days: random.integer(0, 1) === 1, body_html: 'Two' },
  { wait_days: random.integer(0, 1), wait_hours: random.integer(1, 40), body_html: '{{#if company}}Three{{else}}Last{{/if}}' },
];

/** Lets each account send its batches as they fall due, the earliest first, for half a year or until nothing is planned. */
async function sendAll(accountIds: readonly number[]): Promise<void> {
  const batches = batchesOf(app);
  const end = clock.now().getTime() + 180 * DAY;
  for (let count = 0; count < 5_000; count++) {
    const [next] = await app.db.query<{ id: number; at: Date }>(sql`
      select id, next_batch_at as at from accounts where id = any(${accountIds}::int[]) and next_batch_at is not null order by 2, 1 limit 1`);
    if (next === undefined || next.at.getTime() > end) return;
    if (next.at > clock.now()) clock.set(next.at);
    await batches.run(next.id);
  }
  throw new Error('the accounts never came to rest');
}

interface Line {
  send_at: string;
  step_order: number;
  email: string;
  account_email: string;
}
const inOrder = (rows: readonly Line[]) =>
  rows.map((row) => `${row.send_at} step ${row.step_order} ${row.account_email} ${row.email}`).sort();

/** What was sent, by the times of its events. */
const sentOf = (campaignIds: readonly number[]) =>
  app.db.query<Line>(sql`
    select to_char(v.at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as send_at, v.step_order, t.email, a.email as account_email
    from events v join contacts t on t.id = v.contact_id join outbox o on o.enrolment_id = v.enrolment_id and o.step_order = v.step_order
    join accounts a on a.id = o.account_id where v.campaign_id = any(${campaignIds}::int[]) and v.type = 'sent'`);

/** SEEDS sets others. */
const SEEDS = (process.env.SEEDS ?? '13').split(',').map(Number);

it.each(SEEDS)('is what is then sent: seed %i', async (seed) => {
  const random = seededRandom(seed);
  clock.set(new Date(Date.UTC(2026, 1 + (seed % 6), 1 + random.integer(0, 27), 6)));
  const account = {
    ...{
      send_batch_min: 5,
      send_batch_max: 5,
      send_batch_interval_minutes: random.integer(20, 50),
      daily_send_limit: random.integer(25, 60),
    },
    ...{ send_window_start_hour: 6, send_window_end_hour: 23, timezone: oneOf(random, ['Europe/Berlin', 'UTC']) },
  };
  const other = await startSender(installation, sink, { account });
  const first = await startSender(installation, sink, {
    account,
    campaign: rules(random),
    steps: steps(random),
    contacts: people(random, `seed${seed}`, 110),
  });
  const beside = await startSender(installation, sink, {
    account,
    campaign: { timezone: 'UTC', sending_hour_start: 8, sending_hour_end: 20 },
    steps: steps(random),
    contacts: people(random, `beside${seed}`, 25),
  });
  await changeCampaign(app, caller, beside.campaignId, { account_id: first.accountId });
  const second = other.accountId;
  await app.db.query(sql`update accounts set email = ${`a${seed}@ours-google.com`} where id = ${first.accountId}`);
  await app.db.query(sql`update accounts set email = ${`b${seed}@ours-microsoft.com`} where id = ${second}`);
  const { id, members } = await createRotation(app, caller, first.campaignId, [second]);
  await matchProviders(app, dns);
  const forecasts = [await forecastRotation(app, caller, id, 1_000), await forecastCampaign(app, caller, beside.campaignId, 1_000)];

  await sendAll([first.accountId, second]);
  const sent = [await sentOf(members.map(({ campaign_id }) => campaign_id)), await sentOf([beside.campaignId])];
  for (const [index, lines] of sent.entries()) expect(inOrder(lines)).toEqual(inOrder((forecasts[index] ?? []) as Line[]));
  expect(sent.flat().length).toBeGreaterThan(300);
});
