import { operator } from '../src/access/index.ts';
import { addStep, createCampaign } from '../src/campaigns/index.ts';
import { raw, sql } from '../src/db/statement.ts';
import { foldEvents } from '../src/events/index.ts';
import { CAMPAIGN_REPORTS, campaignReport } from '../src/reports/index.ts';
import { bulkLoad } from './bulk-load.ts';
import { benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';
import { connectAccounts } from './sending.ts';
import { startSink } from './sink.ts';

const EMAILS = 1_000_000;
const STEPS = 4;
const DAYS = 60;
/** Domains of companies, in addition to those of mail providers, which half of all contacts have. */
const DOMAINS = 50_000;
/** Emails that are not yet folded: as many as a fast installation sends between two folds. */
const TAIL = 20_000;

const STEP = { kind: 'email', subject: 'Hello', body_html: '<p>Hello</p>', subject_b: null, body_html_b: null, wait_days: 0 } as const;

/**
 * Reports on a campaign of 1,000,000 emails, by each dimension in turn, against PostgreSQL summing one of its totals. The note gives the
 * milliseconds of each dimension, and of the domains on some days, which are read from the log.
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
    for (let order = 1; order <= STEPS; order++) await addStep(app, caller, id, STEP);
    await seedLog(app.db.pool, id, accountId, 0, EMAILS);
    await foldEvents(app);
    await seedLog(app.db.pool, id, accountId, EMAILS, TAIL);
    const took = new Map<string, number>();
    const timed = async (name: string, work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      took.set(name, Math.min(took.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - start));
    };
    const rate = (begin: number) => CAMPAIGN_REPORTS.length / ((performance.now() - begin) / 1_000);
    return {
      async ours() {
        const begin = performance.now();
        for (const by of CAMPAIGN_REPORTS) await timed(by, () => campaignReport(app, caller, id, { by, domains: 50 }));
        const result = rate(begin);
        const days = { since: '2026-07-20', until: '2026-08-20' };
        await timed('domain within dates', () => campaignReport(app, caller, id, { by: 'domain', domains: 50, ...days }));
        return result;
      },
      async ceiling() {
        const begin = performance.now();
        for (const by of CAMPAIGN_REPORTS) {
          const [table, key] = by === 'domain' || by === 'provider' ? ['domain_totals', 'domain'] : ['event_totals', 'day'];
          await app.db.query(sql`
            select ${raw(key)}, sum(events) from ${raw(table)} where campaign_id = ${id} and counts_as = 'sent' group by 1 order by 2 desc limit 50`);
        }
        return rate(begin);
      },
      note: () => `${EMAILS} emails; ms: ${[...took].map(([by, milliseconds]) => `${by} ${milliseconds.toFixed(1)}`).join(', ')}`,
      async close() {
        await remove();
        await sink.stop();
      },
    };
  },
};

/**
 * Fills the log of emails: each step over 60 days, two variants, and domains of companies with one contact or several. A third is opened, a
 * tenth clicked, a twentieth answered, a fiftieth returned.
 */
const seedLog = (
  pool: Parameters<typeof bulkLoad>[0],
  campaignId: number,
  accountId: number,
  first: number,
  emails: number,
): Promise<void> =>
  bulkLoad(pool, ['events'], async (client) => {
    await client.query(
      `insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, at, in_feed, step_id, variant, account_id, domain,
         day, counts_as, is_first_of_email, is_first_of_contact, is_of_first_email)
       select 1, $1, c, c, case v.kind when 'returned' then 'bounced' else v.kind end, s.step_order, date '2026-07-07' + d, true, s.id,
         case when c % 2 = 0 then 'A' else 'B' end, $2, case when c % 2 = 0 then c % 10 else 10 + c % $3::int end || '.example',
         date '2026-07-07' + d, v.kind, true, n % ${STEPS} = 0, n % ${STEPS} = 0
       from generate_series($4::int, $5::int) n
       cross join lateral (select n / ${STEPS} as c, n / ${STEPS} % ${DAYS} as d) t
       join steps s on s.campaign_id = $1 and s.step_order = n % ${STEPS} + 1
       cross join lateral (
         select kind from (values ('sent', 1), ('opened', 3), ('clicked', 10), ('replied', 20), ('returned', 50)) k (kind, every) where c % every = 0) v`,
      [campaignId, accountId, DOMAINS, first, first + emails - 1],
    );
  });
