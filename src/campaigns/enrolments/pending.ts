import type { App } from '../../app.ts';
import type { Cause } from '../../core/cause-text.ts';
import { type Queryable, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { sequenceOf } from '../campaign/sequence.ts';

/** Maximum number of contacts of one kind enrolled in one transaction, which holds the lock of the campaign. */
export const PENDING_BATCH_SIZE = 2_000;

/**
 * A contact who is to be enrolled because of something that happened. The trigger `members_joining` inserts contacts who joined a list;
 * `noteCause` and `noteLabel` insert the others.
 */
export interface Pending {
  contact_id: number;
  /** The list that they joined. Null for contacts of a subsequence, who have a cause and a source enrolment instead. */
  list_id: number | null;
  cause: Cause | null;
  label: string | null;
  source_id: number | null;
  reply_id: number | null;
}

const isDue = (now: Date): Sql => sql`(p.due_at is null or p.due_at <= ${now})`;

/**
 * Finds the campaigns that contacts are to be enrolled into now, by id. Goes from one campaign to the next along the index
 * pending_enrolments_campaign, however many contacts each has, and reads only the contact who is due first.
 */
export async function campaignsWithPending(app: App, limit: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    with recursive found as (
      (select p.campaign_id from pending_enrolments p order by p.campaign_id limit 1)
      union all
      select (select p.campaign_id from pending_enrolments p where p.campaign_id > f.campaign_id order by p.campaign_id limit 1)
      from found f where f.campaign_id is not null
    )
    select f.campaign_id as id from found f
    cross join lateral (
      select p.due_at from pending_enrolments p where p.campaign_id = f.campaign_id order by p.due_at nulls first, p.id limit 1) p
    where ${isDue(app.clock.now())} limit ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * Takes the contacts of a campaign who have been due longest: a chunk of those without a due time and a chunk of those with one. They are
 * selected separately, because one condition for both would sort all of them for each chunk. Index: pending_enrolments_campaign.
 */
export const takePending = (tx: Tx, campaignId: number, now: Date): Promise<Pending[]> =>
  tx.query<Pending>(sql`
    with at_once as (
      select p.id from pending_enrolments p where p.campaign_id = ${campaignId} and p.due_at is null
      order by p.due_at nulls first, p.id limit ${PENDING_BATCH_SIZE} for update skip locked
    ), waited as (
      select p.id from pending_enrolments p where p.campaign_id = ${campaignId} and p.due_at <= ${now}
      order by p.due_at nulls first, p.id limit ${PENDING_BATCH_SIZE} for update skip locked
    )
    delete from pending_enrolments p using (select id from at_once union all select id from waited) taken
    where p.id = taken.id returning p.contact_id, p.list_id, p.cause, p.label, p.source_id, p.reply_id`);

/** Counts the contacts who are to be enrolled, up to 10,000. Index: pending_enrolments_campaign. */
export async function countPending(db: Queryable, campaignId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from pending_enrolments p where p.campaign_id = any(${await sequenceOf(db, campaignId)}::int[]) limit 10000) first`);
  return row?.count ?? 0;
}
