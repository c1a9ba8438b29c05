import { expect, it } from 'vitest';
import { type CampaignPatch, changeCampaign, createRotation, enrol } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { capacityWarnings, readCalendar } from '../../src/sending/index.ts';
import { member } from '../support/people.ts';
import { insertContact } from '../support/rows.ts';
import { runs } from '../support/runs.ts';
import { batchesOf, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();
const { app, caller, clock } = installation;

const people = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}-${index}@${name}${index}.example` }));
const steady = { send_batch_min: 4, send_batch_max: 4, send_batch_interval_minutes: 30, timezone: 'Europe/Berlin' };
const berlin: CampaignPatch = { timezone: 'Europe/Berlin', sending_hour_start: 9, sending_hour_end: 17 };

/** Lets each account send its batches as they become due, earliest first, until `end`. */
async function sendUntil(accountIds: readonly number[], end: Date): Promise<void> {
  const batches = batchesOf(app);
  for (let count = 0; count < 3_000; count++) {
    const [next] = await app.db.query<{ id: number; at: Date }>(sql`
      select id, next_batch_at as at from accounts where id = any(${accountIds}::int[]) and next_batch_at is not null order by 2, 1 limit 1`);
    if (next === undefined || next.at >= end) return;
    if (next.at > clock.now()) clock.set(next.at);
    await batches.run(next.id);
  }
  throw new Error('the accounts never came to rest');
}

it('is, day by day and mailbox by mailbox, what is then sent: a rotation group, a campaign beside it, a ramp-up, holidays and limits', async () => {
  // The Monday two weeks before Easter Monday, so that 17 days include the latter; the clocks change on 29 March.
  clock.set('2026-03-23T06:00:00Z');
  const days = runs(17, 30);
  const until = new Date(Date.UTC(2026, 2, 22 + days)).toISOString().slice(0, 10);
  const ramp = { ...steady, daily_send_limit: 14, ramp_start: 3, ramp_increment: 2, ramp_ceiling: 13 };
  const other = await startSender(installation, sink, { account: { ...steady, daily_send_limit: 9 }, contacts: people('other', 3) });
  const first = await startSender(installation, sink, {
    account: ramp,
    campaign: { ...berlin, holidays: 'DE-BY', new_contacts_per_day: 6 },
    steps: [{ subject: 'One' }, { wait_days: 3, business_days: true, body_html: 'Two' }, { wait_days: 4, body_html: 'Three' }],
    contacts: people('group', 130),
  });
  const beside = await startSender(installation, sink, {
    account: steady,
    campaign: { ...berlin, sending_days: [1, 3, 5] },
    steps: [{ subject: 'Beside' }, { wait_days: 2, body_html: 'Again' }],
    contacts: people('beside', 40),
  });
  await changeCampaign(app, caller, beside.campaignId, { account_id: first.accountId });
  await createRotation(app, caller, first.campaignId, [other.accountId]);

  const calendar = await readCalendar(app, caller, { days });
  expect([calendar.from, calendar.until, calendar.days.length]).toEqual(['2026-03-23', until, days]);
  const planned = calendar.accounts.flatMap(({ account_id, days }) => days.map(({ day, emails }) => ({ account_id, day, emails })));
  const ofOne = await readCalendar(app, caller, { days, account_id: first.accountId, campaign_id: beside.campaignId });
  const free = calendar.accounts.find(({ account_id }) => account_id === other.accountId)?.days;

  await sendUntil([first.accountId, other.accountId], new Date(`${until}T22:00:00Z`));
  const sent = await app.db.query<{ account_id: number; day: string; emails: number }>(sql`
    select o.account_id, (v.at at time zone 'Europe/Berlin')::date::text as day, count(*)::int as emails
    from events v join outbox o on o.enrolment_id = v.enrolment_id and o.step_order = v.step_order where v.type = 'sent' group by 1, 2 order by 1, 2`);
  const inOrder = (rows: typeof sent) => rows.map((row) => `${row.account_id} ${row.day} ${row.emails}`).sort();
  expect(inOrder(planned.filter(({ emails }) => emails > 0))).toEqual(inOrder(sent));
  const total = sent.reduce((sum, { emails }) => sum + emails, 0);
  expect(total).toBe(calendar.emails);
  expect(total).toBeGreaterThan(runs(100, 200));
  // The group sends nothing on the holidays; the other campaign has no holidays.
  expect(calendar.days.find(({ day }) => day === '2026-04-05')?.emails).toBe(0);
  // "What is free by mailbox": the daily limit less all that is sent.
  const perDay = new Map(sent.filter(({ account_id }) => account_id === other.accountId).map(({ day, emails }) => [day, emails]));
  expect(free?.map((day) => day.free)).toEqual(free?.map(({ day }) => 9 - (perDay.get(day) ?? 0)));
  // A filter changes the result, not the simulation.
  const besideSent = await app.db.query<{ n: number }>(
    sql`select count(*)::int as n from events where campaign_id = ${beside.campaignId} and type = 'sent'`,
  );
  expect(ofOne.emails).toBe(besideSent[0]?.n);
  // "What will not fit": exactly those whose sequence has not ended.
  const [left] = await app.db.query<{ n: number }>(sql`select count(*)::int as n from enrolments where status = 'active'`);
  expect(calendar.campaigns.reduce((sum, { unfinished }) => sum + unfinished, 0)).toBe(left?.n);
});

const hours = { sending_hour_start: 9, sending_hour_end: 10 };
const CASES: [string, Parameters<typeof startSender>[2], object][] = [
  ['daily_limit', { account: { daily_send_limit: 2 }, contacts: people('limit', 90) }, { reason: 'daily_limit', contacts: 30 }],
  [
    'new_contacts_per_day',
    { campaign: { new_contacts_per_day: 1 }, contacts: people('new', 40) },
    { reason: 'new_contacts_per_day', contacts: 10 },
  ],
  [
    'max_per_company_per_day',
    {
      campaign: { max_per_company_per_day: 1 },
      contacts: Array.from({ length: 33 }, (_, index) => ({ email: `p${index}@one-company.example` })),
    },
    { reason: 'max_per_company_per_day', contacts: 3 },
  ],
  [
    'sending_hours',
    { account: { send_batch_min: 1, send_batch_max: 1, send_batch_interval_minutes: 60 }, campaign: hours, contacts: people('hours', 31) },
    { reason: 'sending_hours', contacts: 1 },
  ],
  ['waits', { steps: [{}, { wait_days: 40 }], contacts: people('waits', 2) }, { reason: 'waits', contacts: 2 }],
];

it.each(CASES)('tells what keeps contacts from finishing: %s; campaign check warns of it before activation', async (_, options, cause) => {
  clock.set('2026-06-01T06:00:00Z');
  const everyDay = { timezone: 'UTC', sending_days: [1, 2, 3, 4, 5, 6, 7] };
  const { campaignId } = await startSender(installation, sink, { ...options, campaign: { ...everyDay, ...options?.campaign } });
  const { campaigns, summary } = await readCalendar(app, caller, { days: 30, campaign_id: campaignId });
  expect(campaigns[0]?.causes).toEqual([expect.objectContaining(cause)]);
  expect(summary.join('\n')).toMatch(/will not finish by 2026-06-30: \d+ because /);
  await app.db.query(sql`update campaigns set status = 'draft' where id = ${campaignId}`);
  expect((await readCalendar(app, caller, { days: 30, campaign_id: campaignId })).campaigns).toEqual([]);
  expect(await capacityWarnings(app, caller, campaignId)).toEqual([expect.objectContaining({ code: 'takes_long' })]);
  await app.db.query(
    sql`update accounts set status = 'paused', pause_reason = 'manual' where id = (select account_id from campaigns where id = ${campaignId})`,
  );
});

it('plans nothing for an account that may not send, and says so', async () => {
  const { accountId, campaignId } = await startSender(installation, sink);
  await enrol(app, caller, campaignId, { contact_ids: [await insertContact(app, { email: 'late@example.org' })] });
  await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'manual' where id = ${accountId}`);
  const calendar = await readCalendar(app, caller, { days: 7, account_id: accountId });
  expect(calendar.accounts).toEqual([expect.objectContaining({ can_send: false, emails: 0, free: 0 })]);
  expect(calendar.summary.at(-1)).toMatch(/^Nothing is planned for accounts that may not send now: sender-/);
});

it('shows a member nothing of what is hidden from them, which takes its part of the limits all the same', async () => {
  clock.set('2026-06-01T06:00:00Z');
  const everyDay = { timezone: 'UTC', sending_days: [1, 2, 3, 4, 5, 6, 7] };
  const start = (name: string, count: number) =>
    startSender(installation, sink, { account: { daily_send_limit: 10 }, campaign: everyDay, contacts: people(name, count) });
  const [seen, secret, elsewhere] = [await start('seen', 3), await start('secret', 2), await start('elsewhere', 4)];
  await changeCampaign(app, caller, secret.campaignId, { account_id: seen.accountId });
  const hide = (table: string, ids: readonly number[]) =>
    app.db.pool.query(`update ${table} set is_shared_to_all = false, created_by = null where id = any($1)`, [ids]);
  await hide('accounts', [secret.accountId, elsewhere.accountId]);
  await hide('campaigns', [secret.campaignId, elsewhere.campaignId]);
  await hide('contacts', seen.contactIds.slice(0, 1));
  const manager = await member(app, 'manager');
  const as = { ...caller, actor: 'user', role: 'manager', userId: manager.id, isInstallAdmin: false } as const;
  const { accounts, campaigns, ...rest } = await readCalendar(app, as, { days: 3 });
  const own = accounts.find(({ account_id }) => account_id === seen.accountId);
  // One of three contacts is hidden; two more emails of the account belong to the hidden campaign.
  expect(own).toMatchObject({ emails: 2, free: 3 * 10 - 5 });
  expect(campaigns.find(({ campaign_id }) => campaign_id === seen.campaignId)).toMatchObject({ emails: 2, contacts: 2, unfinished: 0 });
  const everything = JSON.stringify({ accounts, campaigns, ...rest });
  const names = await app.db.query<{ name: string }>(
    sql`select name from campaigns where id in (${secret.campaignId}, ${elsewhere.campaignId})`,
  );
  // startSender names a campaign after the address of its first account.
  for (const { name } of names) expect(everything).not.toContain(name);
  for (const filter of [{ account_id: elsewhere.accountId }, { campaign_id: secret.campaignId }])
    await expect(readCalendar(app, as, { days: 3, ...filter })).rejects.toMatchObject({ code: 'not_found' });
});
