import { operator } from '../src/access/index.ts';
import { connectAccount } from '../src/accounts/index.ts';
import type { App } from '../src/app.ts';
import { activateCampaign, changeCampaign, enrol } from '../src/campaigns/index.ts';
import { DAY } from '../src/core/clock.ts';
import { sql } from '../src/db/statement.ts';
import { bulkLoad } from './bulk-load.ts';
import { seedContacts } from './seed.ts';
import { draftCampaign } from './sending.ts';

const caller = operator(1, 1);
const SERVER = { host: '127.0.0.1', secure: false, tls: 'off', user: null } as const;

/**
 * Creates accounts, each with a running campaign: the first one through the program, the others as copies of its rows. Only
 * one contact is enrolled, in the first campaign.
 * @param port of an SMTP server that the first account logs in to
 * @returns the ids of the first account and campaign; the others follow without gaps
 */
export async function seedRunningAccounts(app: App, port: number, count: number): Promise<{ accountId: number; campaignId: number }> {
  const settings = { send_window_start_hour: 0, send_window_end_hour: 24 };
  const smtp = { server: { ...SERVER, port }, secret: {} };
  const account = await connectAccount(app, caller, { email: 'sender-0@example.com', provider: 'smtp', smtp, settings });
  const campaignId = await draftCampaign(app, account.id, 'Campaign 0');
  const [contact] = await app.db.query<{ id: number }>(sql`select min(id) as id from contacts`);
  await enrol(app, caller, campaignId, { contact_ids: [contact?.id ?? 0] });
  await activateCampaign(app, caller, campaignId, null);
  await changeCampaign(app, caller, campaignId, { ab_test_enabled: true });
  await app.db.query(sql`
    insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', a.id + n, 'email', 'sender-' || n || '@example.com'))).*
    from accounts a, generate_series(1, ${count - 1}::int) n where a.id = ${account.id}`);
  await app.db.query(sql`
    insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', c.id + n, 'account_id', c.account_id + n, 'name', 'Campaign ' || n))).*
    from campaigns c, generate_series(1, ${count - 1}::int) n where c.id = ${campaignId}`);
  await app.db.query(sql`
    insert into steps (campaign_id, step_order, subject, body_html, wait_days, created_at, updated_at)
    select ${campaignId}::int + n, o, s.subject, s.body_html, (o - 1) * 3, s.created_at, s.updated_at
    from steps s, generate_series(0, ${count - 1}::int) n, generate_series(1, 3) o
    where s.campaign_id = ${campaignId} and (n > 0 or o > 1)`);
  for (const table of ['accounts', 'campaigns'])
    await app.db.query(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${Math.max(account.id, campaignId) + count}::bigint)`);
  await app.db.query(sql`analyze accounts, campaigns, steps`);
  return { accountId: account.id, campaignId };
}

/** Time zones of contacts; most have none. */
const ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'Europe/Berlin',
  'Europe/London',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Australia/Sydney',
];

/**
 * Creates about this many active enrolments in campaigns with consecutive ids: half of them evenly distributed, the other half in
 * every hundredth campaign. One in two is due now, one in three has received its first email, one in two has a time zone, one in
 * two belongs to variant B.
 */
export async function seedEnrolments(app: App, first: number, campaigns: number, count: number): Promise<void> {
  const large = Math.ceil(count / 2 / Math.ceil(campaigns / 100));
  const small = Math.ceil(count / 2 / campaigns);
  const prefix = `reader${count}`;
  await seedContacts(app.db, large + small, prefix);
  const now = app.clock.now();
  await bulkLoad(app.db.pool, ['enrolments'], async (client) => {
    await client.query(
      `insert into enrolments (workspace_id, campaign_id, contact_id, variant, timezone, current_step, last_sent_step, last_sent_at, due_at, created_at, updated_at)
       select 1, $1::int + n, c.id, (array['A', 'B'])[1 + i % 2], ($6::text[])[1 + i % $7],
         case when i % 3 = 0 then 2 else 1 end, case when i % 3 = 0 then 1 else 0 end, case when i % 3 = 0 then $5::timestamptz - interval '3 days' end,
         $5::timestamptz + make_interval(secs => (hashint4(i) % ${(3 * DAY) / 1_000})), $5, $5
       from generate_series(0, $2::int - 1) n
       cross join lateral (select id, (row_number() over (order by id))::int as i from contacts where email like $8
         order by id limit case when n % 100 = 0 then $3::int else $4::int end) c`,
      [first, campaigns, large + small, small, now, [...ZONES, ...ZONES.map(() => null)], ZONES.length * 2, `${prefix}-%`],
    );
  });
}
