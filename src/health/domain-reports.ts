import { isLiveAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { isPublicDomain } from '../contacts/index.ts';
import { DAY } from '../core/clock.ts';
import { BATCH_SIZE, inBatches } from '../db/in-batches.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { DomainReport, ReportSource } from '../mail/domain-reports/index.ts';

/** Age of the reports that health sums up, in days. */
export const REPORT_DAYS = 30;
/** Most sources that are named. */
const MAX_NAMED = 5;

/** Stores a report if it is about the domain of an account in the workspace, or about a parent of such a domain. Stores no report twice. */
export async function keepDomainReport(tx: Tx, app: App, workspaceId: number, report: DomainReport): Promise<void> {
  const { kind, domain, reporter, reportId, day, sources, keys } = report;
  if (isPublicDomain(domain)) return;
  await tx.query(sql`
    insert into domain_reports (workspace_id, domain, kind, reporter, report_id, day, sources, keys, created_at)
    select ${workspaceId}, ${domain}::text, ${kind}, ${reporter}, ${reportId}, ${day}::date, ${JSON.stringify(sources)}::jsonb, ${keys}::text[], ${app.clock.now()}
    where exists (
      select from accounts a where a.workspace_id = ${workspaceId} and ${isLiveAccount('a')}
        and right('.' || address_domain(a.email), length(${domain}::text) + 1) = '.' || ${domain}::text)
    on conflict do nothing`);
}

/** The sum of the reports of 30 days about a domain. It counts emails (DMARC) or sessions (TLS). */
export interface ReportSum {
  reporters: number;
  passed: number;
  failed: number;
  /** The sources with the most failures, at most five. Sources without failures are left out. */
  failures: Pick<ReportSource, 'source' | 'by' | 'failed'>[];
}

export interface DomainReports {
  dmarc: ReportSum | null;
  tls: ReportSum | null;
  /** DNS names of the DKIM keys that signed emails which passed. */
  keys: string[];
}

/** Sums up the reports about a domain and its parents. Index: domain_reports_pkey. */
export async function readReports(db: Queryable, workspaceId: number, domain: string, now: Date): Promise<DomainReports> {
  const labels = domain.split('.');
  const names = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
  const since = new Date(now.getTime() - REPORT_DAYS * DAY).toISOString().slice(0, 10);
  const rows = await db.query<ReportSum & { kind: 'dmarc' | 'tls'; keys: string[] }>(sql`
    with reports as (
      select r.* from domain_reports r
      where r.workspace_id = ${workspaceId} and r.domain = any(${names}::text[]) and r.day > ${since}::date
    ), summed as (
      select r.kind, s.source, max(s.by) as by, sum(s.passed)::float8 as passed, sum(s.failed)::float8 as failed
      from reports r, jsonb_to_recordset(r.sources) as s (source text, by text, passed bigint, failed bigint) group by 1, 2
    ), totals as (
      select s.kind, sum(s.passed) as passed, sum(s.failed) as failed,
        to_jsonb((array_agg(json_build_object('source', s.source, 'by', s.by, 'failed', s.failed) order by s.failed desc, s.source)
          filter (where s.failed > 0))[1:${MAX_NAMED}]) as failures
      from summed s group by 1
    )
    select r.kind, count(distinct r.reporter)::int as reporters, coalesce(t.passed, 0) as passed, coalesce(t.failed, 0) as failed,
      coalesce(t.failures, '[]') as failures, array(select distinct k from reports q, unnest(q.keys) k order by 1 limit 20) as keys
    from reports r left join totals t on t.kind = r.kind group by 1, t.passed, t.failed, t.failures`);
  const of = (kind: 'dmarc' | 'tls') => rows.find((row) => row.kind === kind) ?? null;
  return { dmarc: of('dmarc'), tls: of('tls'), keys: rows[0]?.keys ?? [] };
}

/** Deletes old reports, after the same time as other messages unrelated to our emails. Returns their number. Index: domain_reports_age. */
export async function pruneDomainReports(app: App, signal?: AbortSignal): Promise<number> {
  const before = new Date(app.clock.now().getTime() - app.config.retentionUnrelatedMessages * DAY);
  const statement = sql`
    delete from domain_reports where ctid in (
      select ctid from domain_reports where created_at < ${before} order by created_at limit ${BATCH_SIZE})
    returning 1`;
  return inBatches(app.db, statement, signal);
}
