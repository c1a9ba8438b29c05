import type { App } from '../app.ts';
import { lastStableId } from '../db/stable-id.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { wantProviders } from '../mail-domains/index.ts';
import { ADD_SUMS, loggedSums, SUMS } from './sums.ts';
import { DOMAIN_DIMENSIONS, EVENT_DIMENSIONS } from './totals.ts';

/** A table of totals. */
interface Totals {
  /** Columns by which the table adds up the log. */
  dimensions: string;
  /** Adds rows of the dimensions and the sums. */
  add(rows: Sql): Sql;
  clear(campaignIds: readonly number[]): Sql;
  /** Selects its rows: the dimensions and the sums. */
  rows: Sql;
}

const TOTALS: readonly Totals[] = [
  {
    dimensions: EVENT_DIMENSIONS,
    add: (rows) => sql`
      insert into event_totals as t (${raw(EVENT_DIMENSIONS)}, ${SUMS}) ${rows}
      on conflict (campaign_id, counts_as, day, account_id, coalesce(variant, ''), coalesce(step_id, 0)) do update set ${ADD_SUMS}`,
    clear: (campaignIds) => sql`delete from event_totals where campaign_id = any(${campaignIds}::int[])`,
    rows: sql`select ${raw(EVENT_DIMENSIONS)}, ${SUMS} from event_totals`,
  },
  {
    dimensions: DOMAIN_DIMENSIONS,
    add: (rows) => sql`
      insert into domain_totals as t (${raw(DOMAIN_DIMENSIONS)}, ${SUMS}) ${rows} on conflict (${raw(DOMAIN_DIMENSIONS)}) do update set ${ADD_SUMS}`,
    clear: (campaignIds) => sql`delete from domain_totals where campaign_id = any(${campaignIds}::int[])`,
    rows: sql`select ${raw(DOMAIN_DIMENSIONS)}, ${SUMS} from domain_totals`,
  },
];

/**
 * Selects sums of the events `e` that match a condition, in the order of the table's key, so that concurrent writers lock rows in the same
 * order.
 */
const summed = (dimensions: string, which: Sql): Sql =>
  sql`select ${raw(dimensions)}, ${loggedSums('e')} from events e where ${which} group by ${raw(dimensions)} order by ${raw(dimensions)}`;

/** Events that one transaction folds. */
const FOLD_BATCH_SIZE = 50_000;

/** Folds the log up to its last stable event, and folds campaigns again whose log was corrected. Any number of daemons may call it. */
export async function foldEvents(app: App, draining?: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && draining?.aborted !== true; ) hasMore = await foldNext(app);
  while (draining?.aborted !== true && (await app.db.tx(refoldOne)));
}

/** Adds the next events after the mark to the totals, and moves the mark in the same transaction. Returns true if more may follow. */
async function foldNext(app: App): Promise<boolean> {
  return app.db.tx(async (tx) => {
    const mark = await lockMark(tx);
    const stable = await lastStableId(tx, 'events');
    const upTo = Math.min(stable, mark + FOLD_BATCH_SIZE);
    if (upTo <= mark) return false;
    const next = sql`e.id > ${mark} and e.id <= ${upTo}`;
    for (const { dimensions, add } of TOTALS) await tx.query(add(summed(dimensions, next)));
    // Reports by provider need the providers of these domains. No caller waits for the look-up.
    const domains = await tx.query<{ domain: string }>(sql`select distinct e.domain from events e where ${next} and e.type = 'sent'`);
    await wantProviders(tx, new Set(domains.map(({ domain }) => domain)), app.clock.now(), { isAwaited: false });
    await tx.query(sql`update fold_marks set event_id = ${upTo}`);
    return upTo < stable;
  });
}

/** Waits for other processes that are folding, and returns the id of the last folded event. */
async function lockMark(tx: Queryable): Promise<number> {
  const [mark] = await tx.query<{ event_id: number }>(sql`select event_id from fold_marks for update`);
  if (mark === undefined) throw new Error('fold_marks has no row');
  return mark.event_id;
}

/** Folds one corrected campaign again, up to the mark. Returns false if there is none, or if another transaction is correcting it. */
async function refoldOne(tx: Tx): Promise<boolean> {
  const mark = await lockMark(tx);
  const [stale] = await tx.query<{ campaign_id: number }>(sql`
    delete from refolds where campaign_id = (select campaign_id from refolds order by 1 limit 1 for update skip locked) returning campaign_id`);
  if (stale === undefined) return false;
  const ofCampaign = sql`e.campaign_id = ${stale.campaign_id} and e.id <= ${mark}`;
  for (const { dimensions, add, clear } of TOTALS) {
    await tx.query(clear([stale.campaign_id]));
    await tx.query(add(summed(dimensions, ofCampaign)));
  }
  return true;
}

/**
 * Makes campaigns be read from their log until they are folded again. Call it before the log is corrected, in the same transaction: they
 * are not folded until that ends.
 */
export async function markForRefold(tx: Queryable, campaignIds: readonly number[]): Promise<void> {
  await tx.query(sql`
    insert into refolds (campaign_id) select distinct c from unnest(${campaignIds}::int[]) c order by 1
    on conflict (campaign_id) do update set campaign_id = excluded.campaign_id`);
}

/** A campaign whose totals differed from its log, and the number of rows that did. */
export interface Correction {
  campaign_id: number;
  rows: number;
}

/**
 * Folds the whole log again and replaces what differs. Sending continues meanwhile, and numbers stay exact. Returns the campaigns that were
 * corrected; none are expected unless the tables were edited by hand.
 */
export async function recountTotals(app: App): Promise<Correction[]> {
  await foldEvents(app);
  const corrections = await app.db.bulk(async (tx) => {
    const mark = await lockMark(tx);
    const found: Correction[] = [];
    for (const totals of TOTALS) found.push(...(await replaceWrong(tx, totals, mark)));
    return found;
  });
  for (const correction of corrections) app.log.warn(correction, 'totals corrected');
  const byCampaign = Map.groupBy(corrections, ({ campaign_id }) => campaign_id);
  return [...byCampaign].map(([campaign_id, found]) => ({ campaign_id, rows: found.reduce((sum, { rows }) => sum + rows, 0) }));
}

async function replaceWrong(tx: Queryable, { dimensions, add, clear, rows }: Totals, mark: number): Promise<Correction[]> {
  await tx.query(sql`create temporary table counted on commit drop as ${summed(dimensions, sql`e.id <= ${mark}`)}`);
  const counted = sql`select ${raw(dimensions)}, ${SUMS} from counted`;
  const wrong = await tx.query<Correction>(sql`
    select campaign_id, count(distinct (${raw(dimensions)}))::int as rows from (
      (${counted} except ${rows}) union all (${rows} except ${counted})
    ) d where campaign_id not in (select campaign_id from refolds) group by 1 order by 1`);
  const ids = wrong.map(({ campaign_id }) => campaign_id);
  await tx.query(clear(ids));
  await tx.query(add(sql`${counted} where campaign_id = any(${ids}::int[]) order by ${raw(dimensions)}`));
  await tx.query(sql`drop table counted`);
  return wrong;
}
