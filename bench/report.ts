import { operator } from '../src/access/index.ts';
import { createCampaign } from '../src/campaigns/index.ts';
import { type Queryable, raw, sql } from '../src/db/statement.ts';
import { sumUpDomains } from '../src/events/index.ts';
import { CAMPAIGN_REPORTS, campaignReport } from '../src/reports/index.ts';
import { benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';
import { connectAccounts } from './sending.ts';
import { startSink } from './sink.ts';

const EMAILS = 1_000_000;
const STEPS = 4;
const DAYS = 60;
/** Of companies, beside the few of mail providers that half of all contacts have. */
const DOMAINS = 50_000;
/** Of the emails that the totals are yet to follow. */
const UNSUMMED = 1_000;

/**
 * Reports on a campaign of 1,000,000 emails, by each way in turn, against PostgreSQL summing one counter over the same rows. The note gives
 * the milliseconds of each way.
 */
export const reportRow: Measurement = {
  name: 'report',
  unit: 'reports/s',
  async prepare() {
    const sink = await startSink(0);
    const { app, remove } = await benchInstallation();
    const [accountId = 0] = await connectAccounts(app, sink.port, { accounts: 1, batch: 1, batches: 1 });
    const caller = operator(1, 1);
    const { id } = await createCampaign(app, caller, { name: 'Large', account_id: accountId });
    await seedCounters(app.db, id, accountId);
    await sumUpDomains(app);
    await addCounts(app.db, id);
    const took = new Map<string, number>();
    const rounds = async (work: (by: (typeof CAMPAIGN_REPORTS)[number]) => Promise<unknown>, keeps: boolean) => {
      const begin = performance.now();
      for (const by of CAMPAIGN_REPORTS) {
        const start = performance.now();
        await work(by);
        if (keeps) took.set(by, Math.min(took.get(by) ?? Number.POSITIVE_INFINITY, performance.now() - start));
      }
      return CAMPAIGN_REPORTS.length / ((performance.now() - begin) / 1_000);
    };
    const bare = (by: string) =>
      app.db.query(sql`
        select ${raw(by === 'domain' ? 'domain' : 'day')}, sum(sent) from ${raw(by === 'domain' ? 'domain_totals' : 'report_counts')}
        where campaign_id = ${id} and ${raw(by === 'domain' ? `day = '-infinity'` : 'true')} group by 1 order by 2 desc limit 50`);
    return {
      ours: () => rounds((by) => campaignReport(app.db, caller, id, { by, domains: 50 }), true),
      ceiling: () => rounds(bare, false),
      note: () => `${EMAILS} emails; ms: ${[...took].map(([by, milliseconds]) => `${by} ${milliseconds.toFixed(1)}`).join(', ')}`,
      async close() {
        await remove();
        await sink.stop();
      },
    };
  },
};

/** The counters that so many emails leave: each step over 60 days, two variants, and domains of companies with a contact or several. */
async function seedCounters(db: Queryable, campaignId: number, accountId: number): Promise<void> {
  const cell = EMAILS / STEPS / DAYS / 2;
  const measures = (emails: string) =>
    `${emails}, ${emails} / 50, ${emails} / 4, ${emails} / 200, ${emails} / 3, ${emails} / 10, ${emails} / 20`;
  const names = raw('sent, returned, contacts, contacts_returned, opened, clicked, replied');
  await db.query(sql`
    insert into report_counts (campaign_id, day, step_order, variant, account_id, ${names})
    select ${campaignId}, date '2026-07-07' + d, s, v, ${accountId}, ${raw(measures(String(Math.round(cell))))}
    from generate_series(1, ${DAYS}::int) d, generate_series(1, ${STEPS}::int) s, unnest(array['A', 'B']) v`);
  await db.query(sql`
    insert into domain_counts (campaign_id, day, domain, ${names})
    select ${campaignId}, case when d = 0 then '-infinity'::date else date '2026-07-07' + d end, n || '.example',
      ${raw(measures(`(case when n <= 10 then 50000 else 10 end / case when d = 0 then 1 else ${DAYS} end)`))}
    from generate_series(0, ${DAYS}::int) d, generate_series(1, ${DOMAINS}::int) n where d = 0 or n <= 10 or (n + d) % 7 = 0`);
  await db.query(sql`analyze report_counts, domain_counts`);
}

/** Emails to some of the domains that are counted and not summed up: as many as a fast installation sends between two runs of that job. */
async function addCounts(db: Queryable, campaignId: number): Promise<void> {
  await db.query(sql`
    insert into domain_counts (campaign_id, day, domain, sent, contacts)
    select ${campaignId}, d, n || '.example', 1, 1
    from generate_series(1, ${UNSUMMED}::int) n, unnest(array['-infinity', '2026-09-06']::date[]) d`);
  await db.query(sql`analyze domain_totals, provider_totals`);
}
