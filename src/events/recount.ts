import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { lockForCounting } from './counters.ts';
import { correctReports } from './recount-reports.ts';

/** A counter that disagreed with the event log, and its new value. */
export interface Correction {
  campaign_id: number;
  /**
   * A column of campaign_stats, `enrolments.<column>`, or `<what>/<audience>` of campaign_counts, or `<what>/<audience>/<day>` of event_day_counts. For `<table>.cells` of the reports'
   * tables and of event_blocks, `counted` is the number of rows that were wrong.
   */
  counter: string;
  stored: number;
  counted: number;
}

/**
 * Recounts everything that has a counter and corrects the differences: the statistics of campaigns, the first-time
 * columns of enrolments, the totals of the event list, the reports. Locks one campaign at a time, so that the others keep sending.
 * Returns the corrections; none are expected unless the tables were edited by hand.
 */
export const recountStats = (app: App): Promise<Correction[]> => recountEach(app, (tx, id) => recountCampaign(tx, id, app.clock.now()));

/** Recounts every campaign, each in a transaction of its own, and logs the corrections. */
async function recountEach(app: App, recount: (tx: Tx, campaignId: number) => Promise<Correction[]>): Promise<Correction[]> {
  const campaigns = await app.db.query<{ id: number }>(sql`select id from campaigns order by id`);
  const corrections: Correction[] = [];
  for (const { id } of campaigns) corrections.push(...(await app.db.tx((tx) => recount(tx, id))));
  for (const correction of corrections) app.log.warn(correction, 'counter corrected');
  return corrections;
}

/** Recounts one campaign, and holds it from sending meanwhile. */
export async function recountCampaign(tx: Tx, campaignId: number, now: Date): Promise<Correction[]> {
  const corrections = await recountMoved(tx, campaignId);
  const ofReports = await correctReports(tx, campaignId, now);
  return [...corrections, ...ofReports.map((row) => ({ campaign_id: campaignId, ...row }))];
}

/** Recounts one campaign inside a transaction that has moved rows from one campaign to another; `moveEvents` has moved its reports. */
export async function recountMoved(tx: Tx, campaignId: number): Promise<Correction[]> {
  // Held until the end of the transaction: writers of this campaign's events and enrolments wait, earlier ones have committed.
  await lockForCounting(tx, campaignId);
  const rows = [
    ...(await correctFirstTimes(tx, campaignId)),
    ...(await correctStats(tx, campaignId)),
    ...(await correctCounts(tx, campaignId)),
    ...(await correctDayCounts(tx, campaignId)),
  ];
  return rows.map((row) => ({ campaign_id: campaignId, ...row }));
}

type Row = Pick<Correction, 'counter' | 'stored' | 'counted'>;

/** Sets `opened_at` and the like to the earliest event of their type. Returns the number of enrolments corrected. */
async function correctFirstTimes(tx: Tx, campaignId: number): Promise<Row[]> {
  const corrected = await tx.query<Row>(sql`
    with logged as (
      select e.id,
        min(v.at) filter (where v.type = 'opened') as opened_at, min(v.at) filter (where v.type = 'clicked') as clicked_at,
        min(v.at) filter (where v.type = 'replied') as replied_at, min(v.at) filter (where v.type = 'bounced') as bounced_at,
        min(v.at) filter (where v.type = 'failed') as failed_at, min(v.at) filter (where v.type = 'unsubscribed') as unsubscribed_at
      from enrolments e left join events v on v.enrolment_id = e.id and v.type not in ('sent', 'enrolled')
      where e.campaign_id = ${campaignId} group by e.id
    ), wrong as (
      select e.id from enrolments e join logged l on l.id = e.id
      where (e.opened_at, e.clicked_at, e.replied_at, e.bounced_at, e.failed_at, e.unsubscribed_at)
        is distinct from (l.opened_at, l.clicked_at, l.replied_at, l.bounced_at, l.failed_at, l.unsubscribed_at)
    ), corrected as (
      update enrolments e set opened_at = l.opened_at, clicked_at = l.clicked_at, replied_at = l.replied_at,
        bounced_at = l.bounced_at, failed_at = l.failed_at, unsubscribed_at = l.unsubscribed_at
      from logged l join wrong w on w.id = l.id where e.id = l.id returning 1
    )
    select 'enrolments.first_times' as counter, 0 as stored, count(*) as counted from corrected having count(*) > 0`);
  return corrected;
}

const STATS = ['contacts', 'sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'variant_a', 'variant_b'] as const;

async function correctStats(tx: Tx, campaignId: number): Promise<Row[]> {
  const [counted] = await tx.query<Record<(typeof STATS)[number], number>>(sql`
    select count(*) as contacts, count(e.opened_at) as opened, count(e.clicked_at) as clicked, count(e.replied_at) as replied,
      count(e.bounced_at) as bounced, count(e.failed_at) as failed,
      count(*) filter (where e.variant = 'A') as variant_a, count(*) filter (where e.variant = 'B') as variant_b,
      (select count(*) from events v where v.campaign_id = ${campaignId} and v.type = 'sent') as sent
    from enrolments e where e.campaign_id = ${campaignId}`);
  const [stored] = await tx.query<Record<(typeof STATS)[number], number>>(
    sql`select * from campaign_stats where campaign_id = ${campaignId}`,
  );
  if (counted === undefined || stored === undefined) return [];
  const wrong = STATS.filter((name) => counted[name] !== stored[name]);
  if (wrong.length > 0)
    await tx.query(sql`
      update campaign_stats set contacts = ${counted.contacts}, sent = ${counted.sent}, opened = ${counted.opened},
        clicked = ${counted.clicked}, replied = ${counted.replied}, bounced = ${counted.bounced}, failed = ${counted.failed},
        variant_a = ${counted.variant_a}, variant_b = ${counted.variant_b} where campaign_id = ${campaignId}`);
  return wrong.map((name) => ({ counter: name, stored: stored[name], counted: counted[name] }));
}

/** A missing counter counts as zero. */
async function correctCounts(tx: Tx, campaignId: number): Promise<Row[]> {
  return tx.query<Row>(sql`
    with counted as (
      select t.what, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by) as audience, count(*) as count
      from (
        select type as what, contact_id from events where campaign_id = ${campaignId}
        union all
        select 'enrolment', contact_id from enrolments where campaign_id = ${campaignId}
      ) t join contacts k on k.id = t.contact_id and k.deleted_at is null
      group by 1, 2
    ), wrong as (
      select what, audience, coalesce(n.count, 0) as stored, coalesce(c.count, 0) as counted
      from counted c full join (select * from campaign_counts where campaign_id = ${campaignId}) n using (what, audience)
      where coalesce(n.count, 0) <> coalesce(c.count, 0)
    ), corrected as (
      insert into campaign_counts (campaign_id, what, audience, count)
      select ${campaignId}::int, what, audience, counted from wrong
      on conflict (campaign_id, what, audience) do update set count = excluded.count
    )
    select what || '/' || audience as counter, stored, counted from wrong order by 1`);
}

/** The same by day. */
async function correctDayCounts(tx: Tx, campaignId: number): Promise<Row[]> {
  return tx.query<Row>(sql`
    with counted as (
      select (e.at at time zone 'UTC')::date as day, e.type as what, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by) as audience,
        count(*) as count
      from events e join contacts k on k.id = e.contact_id and k.deleted_at is null where e.campaign_id = ${campaignId} group by 1, 2, 3
    ), wrong as (
      select day, what, audience, coalesce(n.count, 0) as stored, coalesce(c.count, 0) as counted
      from counted c full join (select * from event_day_counts where campaign_id = ${campaignId}) n using (day, what, audience)
      where coalesce(n.count, 0) <> coalesce(c.count, 0)
    ), corrected as (
      insert into event_day_counts (campaign_id, day, what, audience, count)
      select ${campaignId}::int, day, what, audience, counted from wrong
      on conflict (campaign_id, day, what, audience) do update set count = excluded.count
    )
    select what || '/' || audience || '/' || day as counter, stored, counted from wrong order by 1`);
}
