import { lockInTransaction } from '../db/lock.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { countedQuarter, QUARTER_CELL, quarterSums, quartersDiffer, setQuarter, sumsByQuarter } from './domain-quarters.ts';
import { providerOfCell, sumUpCampaign } from './domain-totals.ts';
import { happenings } from './happenings.ts';
import {
  CELL,
  DOMAIN_CELL,
  DOMAIN_COLUMNS,
  DOMAIN_GROUPS,
  DOMAIN_ROW,
  DOMAIN_SIGN,
  MEASURES,
  measureNames,
  measureSums,
  PRIVATE_CELL,
  PROVIDER_CELL,
} from './measures.ts';

/** Cells of a table of counters that were wrong; `counted` is their number. */
interface WrongCells {
  counter: string;
  stored: number;
  counted: number;
}

/** Recounts the reports of a campaign that is locked for counting, and corrects the cells that were wrong. */
export async function correctReports(tx: Tx, campaignId: number, now: Date): Promise<WrongCells[]> {
  await lockInTransaction(tx, 'report totals');
  await sumUpCampaign(tx, campaignId, now);
  return [
    ...(await correctCounters(tx, campaignId)),
    ...(await correctQuarters(tx, campaignId)),
    ...(await correctProviders(tx, campaignId)),
  ];
}

const correctCounters = (tx: Tx, campaignId: number): Promise<WrongCells[]> =>
  tx.query<WrongCells>(sql`
    with happened as materialized (${happenings(sql`e.campaign_id = ${campaignId}`)}),
    wrong_cells as (
      select ${raw(CELL)}, ${counted} from (
        select ${raw(CELL)}, ${measureSums('g')} from happened g group by campaign_id, day, step_order, variant, account_id) c
      full join (select * from report_counts where campaign_id = ${campaignId}) n using (${raw(CELL)}) where ${differ}
    ), wrong_private as (
      select ${raw(PRIVATE_CELL)}, ${counted} from (
        select ${raw(PRIVATE_CELL)}, ${measureSums('g')} from happened g where audience <> 0 group by ${raw(PRIVATE_CELL)}) c
      full join (select * from private_counts where campaign_id = ${campaignId}) n using (${raw(PRIVATE_CELL)}) where ${differ}
    ), wrong_domains as (
      select ${raw(DOMAIN_CELL)}, ${counted} from (
        select ${raw(DOMAIN_COLUMNS)}, ${measureSums('g', DOMAIN_SIGN)} from happened g group by ${raw(DOMAIN_GROUPS)} having ${raw(DOMAIN_ROW)}) c
      full join (select * from domain_totals where campaign_id = ${campaignId}) n using (${raw(DOMAIN_CELL)}) where ${differ}
    ), cells as (
      insert into report_counts (${raw(CELL)}, ${measureNames}) select ${raw(CELL)}, ${measureNames} from wrong_cells
      on conflict (${raw(CELL)}) do update set ${corrected}
    ), private_cells as (
      insert into private_counts (${raw(PRIVATE_CELL)}, ${measureNames}) select ${raw(PRIVATE_CELL)}, ${measureNames} from wrong_private
      on conflict (${raw(PRIVATE_CELL)}) do update set ${corrected}
    ), domains as (
      insert into domain_totals (${raw(DOMAIN_CELL)}, provider, ${measureNames})
      select ${raw(DOMAIN_CELL)}, ${providerOfCell(sql`w`)}, ${measureNames} from wrong_domains w
      on conflict (${raw(DOMAIN_CELL)}) do update set ${corrected}
    )
    select 'report_counts.cells' as counter, 0 as stored, count(*)::int as counted from wrong_cells having count(*) > 0
    union all
    select 'private_counts.cells', 0, count(*)::int from wrong_private having count(*) > 0
    union all
    select 'domain_totals.cells', 0, count(*)::int from wrong_domains having count(*) > 0`);

/** Adds the corrected totals up by quarter again. */
const correctQuarters = (tx: Tx, campaignId: number): Promise<WrongCells[]> =>
  tx.query<WrongCells>(sql`
    with wrong as (
      select ${raw(QUARTER_CELL)}, ${countedQuarter} from (${sumsByQuarter(sql`domain_totals`, sql`c.campaign_id = ${campaignId}`)}) c
      full join (select * from domain_quarters where campaign_id = ${campaignId}) n using (${raw(QUARTER_CELL)})
      where ${quartersDiffer}
    ), corrected as (
      insert into domain_quarters (${raw(QUARTER_CELL)}, ${quarterSums}) select ${raw(QUARTER_CELL)}, ${quarterSums} from wrong
      on conflict (${raw(QUARTER_CELL)}) do update set ${setQuarter}
    )
    select 'domain_quarters.cells' as counter, 0 as stored, count(*)::int as counted from wrong having count(*) > 0`);

/** Adds the corrected totals of the domains up again by provider. */
const correctProviders = (tx: Tx, campaignId: number): Promise<WrongCells[]> =>
  tx.query<WrongCells>(sql`
    with wrong as (
      select ${raw(PROVIDER_CELL)}, ${counted} from (
        select ${raw(PROVIDER_CELL)}, ${measureSums('g')} from domain_totals g where campaign_id = ${campaignId} group by ${raw(PROVIDER_CELL)}) c
      full join (select * from provider_totals where campaign_id = ${campaignId}) n using (${raw(PROVIDER_CELL)}) where ${differ}
    ), corrected as (
      insert into provider_totals (${raw(PROVIDER_CELL)}, ${measureNames}) select ${raw(PROVIDER_CELL)}, ${measureNames} from wrong
      on conflict (${raw(PROVIDER_CELL)}) do update set ${corrected}
    )
    select 'provider_totals.cells' as counter, 0 as stored, count(*)::int as counted from wrong having count(*) > 0`);

/** A missing cell counts as zero, counted (`c`) as well as stored (`n`). */
const counted: Sql = join(MEASURES.map((name) => raw(`coalesce(c.${name}, 0) as ${name}`)));
const zeroed = (alias: string): Sql => join(MEASURES.map((name) => raw(`coalesce(${alias}.${name}, 0)`)));
const differ: Sql = sql`(${zeroed('c')}) is distinct from (${zeroed('n')})`;
const corrected: Sql = join(MEASURES.map((name) => raw(`${name} = excluded.${name}`)));
