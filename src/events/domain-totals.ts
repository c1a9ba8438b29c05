import type { App } from '../app.ts';
import { lockInTransaction } from '../db/lock.ts';
import { raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { providerOfDomain, setCounted, uncountedDomains, wantProviders } from '../mail-domains/index.ts';
import { addToQuarter, QUARTER_CELL, quarterSums, sumsByQuarter } from './domain-quarters.ts';
import { addMeasures, DOMAIN_CELL, measureNames, measureSums, negatedMeasures, PROVIDER_CELL } from './measures.ts';

/** Rows of counters that one transaction moves; a sender who counts by one of them waits as long. */
const AT_ONCE = 2_000;
/** Domains whose provider one transaction has the totals follow. */
const CHANGED_AT_ONCE = 20;

/** A condition on `domain_totals` `t`: it has what all contacts count of a row of counters by domain. */
const ofAll = (n: Sql): Sql => sql`t.campaign_id = ${n}.campaign_id and not t.is_private and t.day = ${n}.day and t.domain = ${n}.domain`;

/** Rows of private contacts go after those of all contacts, so that both are counted by the same provider. */
const NOT_AHEAD: Sql = sql`(not c.is_private or exists (select from domain_totals t where ${ofAll(sql`c`)}))`;

/**
 * Moves what events have added to `domain_counts` into `domain_totals`, `domain_quarters` and `provider_totals`, has the domains looked up,
 * and has the totals follow the providers that were found. A report reads counters and totals together, so it is exact before, meanwhile and after.
 */
export async function sumUpDomains(app: App): Promise<void> {
  while ((await app.db.tx((tx) => underTotalsLock(tx, () => addCounts(tx, app.clock.now(), NOT_AHEAD)))) === AT_ONCE);
  while ((await app.db.tx((tx) => underTotalsLock(tx, () => followProviders(tx)))) === CHANGED_AT_ONCE);
}

/** Moves all counts of a campaign, whose writers wait. The caller has the lock of the totals. */
export async function sumUpCampaign(tx: Tx, campaignId: number, now: Date): Promise<void> {
  const ofCampaign = sql`c.campaign_id = ${campaignId}`;
  while ((await addCounts(tx, now, sql`${ofCampaign} and not c.is_private`)) === AT_ONCE);
  while ((await addCounts(tx, now, ofCampaign)) === AT_ONCE);
}

/** Does what writes totals, which one transaction does at a time: a row's provider must not change between being read and counted by. */
async function underTotalsLock<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  await lockInTransaction(tx, 'report totals');
  return work();
}

/**
 * Moves rows, but none that somebody is adding to. They are deleted by their place: by five columns, the planner expects a single row. A row
 * of the totals keeps the provider that it is counted by; a new one gets that of its domain. Returns the number of rows moved.
 * Indexes: domain_counts_pkey, domain_totals_pkey, domain_quarters_pkey, provider_totals_pkey, mail_domains_pkey.
 */
async function addCounts(tx: Tx, now: Date, which: Sql): Promise<number> {
  const moved = await tx.query<{ domain: string }>(sql`
    with picked as materialized (
      select c.ctid as place from domain_counts c where ${which} order by ${raw(DOMAIN_CELL)} limit ${AT_ONCE} for update skip locked
    ), taken as (
      delete from domain_counts c using picked p where c.ctid = p.place returning c.*
    ), added as (
      insert into domain_totals as r (${raw(DOMAIN_CELL)}, provider, ${measureNames})
      select ${raw(DOMAIN_CELL)}, ${providerOfCell(sql`n`)}, ${measureNames} from taken n
      order by ${raw(DOMAIN_CELL)}
      on conflict (${raw(DOMAIN_CELL)}) do update set ${addMeasures} returning ${raw(DOMAIN_CELL)}, provider
    ), by_quarter as (
      insert into domain_quarters as r (${raw(QUARTER_CELL)}, ${quarterSums}) ${sumsByQuarter(sql`taken`, sql`true`)} order by 1, 2, 3, 4, 5
      on conflict (${raw(QUARTER_CELL)}) do update set ${addToQuarter}
    ), by_provider as (
      ${addToProviders(sql`select a.provider, t.* from taken t join added a using (${raw(DOMAIN_CELL)})`)}
    )
    select domain from taken`);
  if (moved.length > 0) await wantProviders(tx, new Set(moved.map(({ domain }) => domain)), now, { isAwaited: false });
  return moved.length;
}

/**
 * Counts domains by the provider that they have now. Returns the number of domains.
 * Indexes: domain_totals_domain, domain_totals_pkey, provider_totals_pkey.
 */
async function followProviders(tx: Tx): Promise<number> {
  const domains = await uncountedDomains(tx, CHANGED_AT_ONCE);
  if (domains.length === 0) return 0;
  await tx.query(sql`
    with old as materialized (
      select t.*, ${providerOfDomain(sql`t.domain`)} as provider_now from domain_totals t where t.domain = any(${domains}::text[])
    ), changed as (
      update domain_totals t set provider = o.provider_now from old o
      where (t.campaign_id, t.is_private, t.day, t.domain, t.audience) = (o.campaign_id, o.is_private, o.day, o.domain, o.audience) and o.provider <> o.provider_now
    )
    ${addToProviders(sql`
      select ${raw(PROVIDER_CELL)}, ${negatedMeasures} from old where provider <> provider_now
      union all
      select campaign_id, is_private, day, provider_now, audience, ${measureNames} from old where provider <> provider_now`)}`);
  await setCounted(tx, domains);
  return domains.length;
}

/** The provider that new rows `n` of counters by domain are counted by: as all contacts already are, or that of the domain. */
export const providerOfCell = (n: Sql): Sql => sql`coalesce(
  case when ${n}.is_private then (select t.provider from domain_totals t where ${ofAll(n)}) end, ${providerOfDomain(sql`${n}.domain`)}, 'unknown')`;

const addToProviders = (rows: Sql): Sql => sql`
  insert into provider_totals as r (${raw(PROVIDER_CELL)}, ${measureNames})
  select ${raw(PROVIDER_CELL)}, ${measureSums('g')} from (${rows}) g group by ${raw(PROVIDER_CELL)} order by ${raw(PROVIDER_CELL)}
  on conflict (${raw(PROVIDER_CELL)}) do update set ${addMeasures}`;
