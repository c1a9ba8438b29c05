import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { happenings } from './happenings.ts';
import {
  addMeasures,
  anyMeasure,
  CELL,
  DOMAIN_CELL,
  DOMAIN_COLUMNS,
  DOMAIN_GROUPS,
  DOMAIN_ROW,
  DOMAIN_SIGN,
  measureNames,
  measureSums,
  PRIVATE_CELL,
} from './measures.ts';

/**
 * CTEs that add measured rows to the counters. The writer of a campaign's counters holds its row of campaign_stats.
 * @param rows a table expression with the columns of `happenings`
 * @param factor what the sums are multiplied by: -1 takes them away
 */
export const addToReports = (rows: string, factor: 1 | -1 = 1): Sql => sql`
  cells as (
    insert into report_counts as r (${raw(CELL)}, ${measureNames})
    select ${raw(CELL)}, ${measureSums('g', factor)} from ${raw(rows)} g
    group by campaign_id, day, step_order, variant, account_id having ${anyMeasure('g')} order by campaign_id, day, step_order, variant, account_id
    on conflict (${raw(CELL)}) do update set ${addMeasures}
  ), private_cells as (
    insert into private_counts as r (${raw(PRIVATE_CELL)}, ${measureNames})
    select ${raw(PRIVATE_CELL)}, ${measureSums('g', factor)} from ${raw(rows)} g where audience <> 0
    group by ${raw(PRIVATE_CELL)} having ${anyMeasure('g')} order by ${raw(PRIVATE_CELL)}
    on conflict (${raw(PRIVATE_CELL)}) do update set ${addMeasures}
  ), domains as (
    insert into domain_counts as r (${raw(DOMAIN_CELL)}, ${measureNames})
    select ${raw(DOMAIN_COLUMNS)}, ${measureSums('g', `${factor} * ${DOMAIN_SIGN}`)} from ${raw(rows)} g
    group by ${raw(DOMAIN_GROUPS)} having ${raw(DOMAIN_ROW)} and ${anyMeasure('g')} order by 1, 2, 3, 4, 5
    on conflict (${raw(DOMAIN_CELL)}) do update set ${addMeasures}
  )`;

async function shift(tx: Queryable, enrolmentIds: readonly number[], factor: 1 | -1): Promise<void> {
  await tx.query(sql`
    with happened as materialized (${happenings(sql`e.id = any(${enrolmentIds}::int[])`)}), ${addToReports('happened', factor)} select 1`);
}

/**
 * Makes a change to events that are logged, or to marks, and has the reports follow: takes away what the enrolments had added, and adds
 * what they add after it. Locks their campaigns for counting; the caller holds the locks of the enrolments.
 */
export async function keepingReports<Result>(
  tx: Queryable,
  enrolmentIds: readonly number[],
  change: () => Promise<Result>,
): Promise<Result> {
  await tx.query(sql`
    select from campaign_stats s where s.campaign_id in (select e.campaign_id from enrolments e where e.id = any(${enrolmentIds}::int[]))
    order by s.campaign_id for no key update`);
  await shift(tx, enrolmentIds, -1);
  const result = await change();
  await shift(tx, enrolmentIds, 1);
  return result;
}
