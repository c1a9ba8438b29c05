import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../src/access/index.ts';
import { sql } from '../../src/db/statement.ts';
import { sumUpDomains } from '../../src/events/index.ts';
import { campaignReport, rotationReport } from '../../src/reports/index.ts';
import { testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment, insertRow } from '../support/rows.ts';

const { app, caller } = await testInstallation();
const DAYS = ['2026-05-30', '2026-07-01', '2026-07-02', '2026-07-18', '2026-08-16', '2026-09-01'];
/** Before, after and between them. */
const OTHERS = [
  '2026-03-31',
  '2026-05-01',
  '2026-06-01',
  '2026-06-16',
  '2026-06-30',
  '2026-07-04',
  '2026-07-19',
  '2026-07-31',
  '2026-08-15',
  '2026-09-02',
  '2026-09-30',
  '2026-12-31',
];
const DOMAINS = 30;
const campaigns: number[] = [];
let group: number;
let manager: Caller;

/** Three campaigns with emails to 30 domains on six days of four months: half of them in the totals, some yet to be moved there, some to a hidden contact. */
beforeAll(async () => {
  manager = { ...caller, userId: (await member(app, 'manager')).id, role: 'manager' };
  group = await insertRow(app, 'rotation_groups', { workspace_id: 1, created_at: app.clock.now() });
  for (let index = 0; index < 3; index++) campaigns.push(await insertCampaign(app, { rotation_group_id: group }));
  await count(0);
  await sumUpDomains(app);
  await hide();
  await sumUpDomains(app);
  await count(1);
});

/** Hides a contact's emails of each campaign. */
async function hide(): Promise<void> {
  for (const [index, campaignId] of campaigns.entries()) {
    const contact_id = await insertContact(app, { is_shared_to_all: false, email: `p@d${index + 3}.example` });
    const { id } = await insertEnrolment(app, campaignId, { contact_id });
    for (const [step, day] of DAYS.entries())
      await app.db.query(sql`
        insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at, day, variant, account_id, domain)
        values (1, ${campaignId}, ${contact_id}, ${id}, 'sent', ${step + 1}, ${`${day}T12:00:00Z`}, ${day}, '', 1, ${`d${index + 3}.example`})`);
    await app.db.query(sql`
      insert into private_counts (campaign_id, day, step_order, variant, account_id, audience, sent, contacts)
      select ${campaignId}, day, step_order, '', 1, -1, 1, (step_order = 1)::int from events where enrolment_id = ${id}`);
    await app.db.query(sql`
      insert into domain_counts (campaign_id, is_private, day, domain, audience, sent)
      select ${campaignId}, true, coalesce(day, '-infinity'), domain, -1, -count(*) from events where enrolment_id = ${id}
      group by grouping sets ((day, domain), (domain))`);
  }
}

/** Counts as events do: by day, and over all days. */
async function count(seed: number): Promise<void> {
  await app.db.query(sql`
    with sent as (
      select c, d::date as day, 'd' || n || '.example' as domain, 1 + (n * 7 + c * 5 + ${seed}::int + extract(day from d::date)::int * 3) % 11 as sent
      from unnest(${campaigns}::int[]) c, unnest(${DAYS}::text[]) d, generate_series(1, ${DOMAINS}::int) n
      where (n + c + extract(day from d::date)::int) % 3 <> ${seed}
    ), by_domain as (
      insert into domain_counts (campaign_id, day, domain, sent)
      select c, coalesce(day, '-infinity'), domain, sum(sent) from sent group by grouping sets ((c, day, domain), (c, domain))
    )
    insert into report_counts as r (campaign_id, day, step_order, variant, account_id, sent)
    select c, day, 1, '', 1, sum(sent) from sent group by 1, 2
    on conflict (campaign_id, day, step_order, variant, account_id) do update set sent = r.sent + excluded.sent`);
}

/** Every domain with its emails of these days, the largest first, less the emails to contacts hidden from the caller. */
async function expected(by: Caller, of: readonly number[], since = '2000-01-01', until = '2100-01-01'): Promise<[string, number][]> {
  const rows = await app.db.query<{ domain: string; sent: number }>(sql`
    select domain, sum(sent)::int as sent from (
      select campaign_id, day, domain, sent from domain_totals where not is_private
      union all select campaign_id, day, domain, sent from domain_counts where not is_private
      union all select campaign_id, day, domain, -1 from events where ${by === manager}
    ) s where campaign_id = any(${of}::int[]) and day between ${since} and ${until} group by 1 order by 2 desc, domain collate "C"`);
  return rows.map(({ domain, sent }) => [domain, sent]);
}

it('the domains with the most emails are those that adding up all gives, of a campaign and of a group, on any days', async () => {
  const day = fc.option(fc.constantFrom(...DAYS, ...OTHERS), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(day, day, fc.integer({ min: 1, max: DOMAINS + 2 }), fc.boolean(), fc.boolean(), async (...given) => {
      const [since, until, domains, isGroup, isManager] = given;
      const by = isManager ? manager : caller;
      const days = { ...(since && { since }), ...(until && { until }) };
      const request = { by: 'domain', domains, ...days } as const;
      const report = await (isGroup ? rotationReport(app.db, by, group, request) : campaignReport(app.db, by, campaigns[0] ?? 0, request));
      const all = await expected(by, isGroup ? campaigns : campaigns.slice(0, 1), since, until);
      const rows = report.rows.map(({ domain, sent }) => [domain, sent]);
      const rest = all.slice(domains).reduce((sum, [, sent]) => sum + sent, 0);
      expect(rows.filter(([domain]) => domain !== null)).toEqual(all.slice(0, domains).filter(([, sent]) => sent !== 0));
      expect(rows.find(([domain]) => domain === null)?.[1] ?? 0).toBe(rest);
    }),
    { numRuns: 150, seed: 3 },
  );
}, 60_000);
