import type { App } from '../app.ts';
import { settledId } from '../db/settled.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { wantProviders } from '../mail-domains/index.ts';
import { CELL, DOMAIN_CELL, loggedSums } from './totals.ts';

/** The tables of totals, with the columns by which each adds up the log and those of its unique index. */
const TOTALS = [
  { table: 'event_totals', cell: CELL, key: "campaign_id, counts_as, day, account_id, coalesce(variant, ''), coalesce(step_id, 0)" },
  { table: 'domain_totals', cell: DOMAIN_CELL, key: DOMAIN_CELL },
] as const;

/** Events that one transaction folds. */
const FOLDED_AT_ONCE = 50_000;

/** Folds the log up to its last settled event, and campaigns whose log was corrected anew. Any number of daemons may call it. */
export async function foldEvents(app: App, draining?: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && draining?.aborted !== true; ) hasMore = await foldNext(app);
  while (draining?.aborted !== true && (await app.db.tx(refoldOne)));
}

/** Adds the next events after the mark to the totals, and moves the mark in the same transaction. Returns true if more may follow. */
async function foldNext(app: App): Promise<boolean> {
  return app.db.tx(async (tx) => {
    const mark = await lockMark(tx);
    const settled = await settledId(tx, 'events');
    const upTo = Math.min(settled, mark + FOLDED_AT_ONCE);
    if (upTo <= mark) return false;
    const next = sql`e.id > ${mark} and e.id <= ${upTo}`;
    for (const { table, cell, key } of TOTALS) await addTo(tx, table, cell, key, next);
    const domains = await tx.query<{ domain: string }>(sql`select distinct e.domain from events e where ${next} and e.type = 'sent'`);
    await wantProviders(tx, new Set(domains.map(({ domain }) => domain)), app.clock.now(), { isAwaited: false });
    await tx.query(sql`update fold_marks set event_id = ${upTo}`);
    return upTo < settled;
  });
}

/** Takes turns with everybody else who folds, and returns the id of the last event that was folded. */
async function lockMark(tx: Queryable): Promise<number> {
  const [mark] = await tx.query<{ event_id: number }>(sql`select event_id from fold_marks for update`);
  if (mark === undefined) throw new Error('fold_marks has no row');
  return mark.event_id;
}

/** Adds up events by the columns of a cell. Rows are written in the order of their key. @param key the columns of its unique index */
const addTo = (tx: Queryable, table: string, cell: string, key: string, which: Sql) =>
  tx.query(sql`
    insert into ${raw(table)} as t (${raw(cell)}, events, emails, contacts, first_emails)
    select ${raw(cell)}, ${loggedSums('e')} from events e where ${which} group by ${raw(cell)} order by ${raw(cell)}
    on conflict (${raw(key)}) do update set events = t.events + excluded.events, emails = t.emails + excluded.emails,
      contacts = t.contacts + excluded.contacts, first_emails = t.first_emails + excluded.first_emails`);

/** Folds one corrected campaign anew, up to the mark. Returns false if there is none, or somebody else is correcting it. */
async function refoldOne(tx: Tx): Promise<boolean> {
  const mark = await lockMark(tx);
  const [stale] = await tx.query<{ campaign_id: number }>(sql`
    delete from refolds where campaign_id in (select campaign_id from refolds order by 1 limit 1 for update skip locked) returning campaign_id`);
  if (stale === undefined) return false;
  for (const { table, cell, key } of TOTALS) {
    await tx.query(sql`delete from ${raw(table)} where campaign_id = ${stale.campaign_id}`);
    await addTo(tx, table, cell, key, sql`e.campaign_id = ${stale.campaign_id} and e.id <= ${mark}`);
  }
  return true;
}

/**
 * Has campaigns read from their log until they are folded anew. To be called before the log is corrected, in the same transaction: until
 * that ends, nobody folds them.
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
 * Folds the whole log again and replaces what differs. Sending goes on meanwhile, and numbers stay exact. Returns the campaigns that were
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

async function replaceWrong(tx: Queryable, { table, cell }: (typeof TOTALS)[number], mark: number): Promise<Correction[]> {
  const [name, columns] = [raw(table), raw(`${cell}, events, emails, contacts, first_emails`)];
  await tx.query(sql`
    create temporary table counted on commit drop as
    select ${raw(cell)}, ${loggedSums('e')} from events e where e.id <= ${mark} group by ${raw(cell)}`);
  const wrong = await tx.query<Correction>(sql`
    select campaign_id, count(*)::int as rows from (
      (select ${columns} from counted except select ${columns} from ${name})
      union all (select ${columns} from ${name} except select ${columns} from counted)) d
    where campaign_id not in (select campaign_id from refolds) group by 1 order by 1`);
  const ids = wrong.map(({ campaign_id }) => campaign_id);
  await tx.query(sql`delete from ${name} where campaign_id = any(${ids}::int[])`);
  await tx.query(
    sql`insert into ${name} (${columns}) select ${columns} from counted where campaign_id = any(${ids}::int[]) order by ${raw(cell)}`,
  );
  await tx.query(sql`drop table counted`);
  return wrong;
}
