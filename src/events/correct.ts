import { type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { EmailMark } from './event.ts';
import { markForRefold } from './fold.ts';
import { isSameEmail } from './same-email.ts';

/*
 * Corrections of the log. Each marks the campaigns first, so that their numbers come from the log until they are folded again. The caller
 * holds the locks of the enrolments.
 */

/**
 * Retracts the events of a reply, after a person has corrected what it was: they are deleted, and the next event of the same type counts
 * instead. Index: events_enrolment.
 */
export async function retractEvents(tx: Tx, enrolmentId: number, replyId: number): Promise<void> {
  await retract(tx, enrolmentId, sql`e.type in ('replied', 'unsubscribed') and (e.details ->> 'reply_id')::int = ${replyId}`);
}

/** Retracts a mark that was set on an email by mistake. Indexes: outbox_pkey, events_enrolment. */
export async function unmarkEmail(tx: Tx, { enrolmentId, outboxId, mark }: { enrolmentId: number; outboxId: number; mark: EmailMark }) {
  await retract(
    tx,
    enrolmentId,
    sql`e.type = ${mark} and exists (select from outbox o where o.id = ${outboxId} and ${isSameEmail('o', 'e')})`,
  );
}

/**
 * Retracts the events of an email's refusals since a time. Returns how many of them were `failed`. Indexes: outbox_pkey,
 * events_enrolment.
 */
export async function retractRefusal(tx: Tx, enrolmentId: number, outboxId: number, since: Date): Promise<number> {
  const types = await retract(
    tx,
    enrolmentId,
    sql`e.type in ('bounced', 'failed') and e.at >= ${since} and exists (select from outbox o where o.id = ${outboxId} and ${isSameEmail('o', 'e')})`,
  );
  return types.filter((type) => type === 'failed').length;
}

/**
 * Deletes events of an enrolment, and makes the first remaining ones count as the first. Returns the types of the deleted events.
 * @param which condition on the events `e`
 */
async function retract(tx: Tx, enrolmentId: number, which: Sql): Promise<string[]> {
  await markEnrolments(tx, [enrolmentId]);
  const deleted = await tx.query<{ type: string }>(
    sql`delete from events e where e.enrolment_id = ${enrolmentId} and ${which} returning e.type`,
  );
  await tx.query(sql`
    update events e set is_first_of_contact = f.of_contact, is_first_of_email = f.of_email
    from (
      select l.id, l.id = min(l.id) over (partition by l.type) as of_contact,
        not exists (select from events p where p.enrolment_id = l.enrolment_id and p.type = l.type and p.id < l.id and ${isSameEmail('p', 'l')}) as of_email
      from events l where l.enrolment_id = ${enrolmentId} and l.type <> 'enrolled'
    ) f
    where e.id = f.id and (e.is_first_of_contact, e.is_first_of_email) is distinct from (f.of_contact, f.of_email)`);
  return deleted.map(({ type }) => type);
}

/**
 * Moves the events of enrolments without sent emails to another campaign of their rotation group. The steps of its campaigns are copies of
 * each other. Index: events_enrolment.
 */
export async function moveEvents(tx: Tx, enrolmentIds: readonly number[], campaignId: number): Promise<void> {
  await markForRefold(tx, [campaignId, ...(await campaignsOf(tx, enrolmentIds))]);
  await tx.query(sql`
    update events e set campaign_id = ${campaignId}, step_id = (
      select s.id from steps s where s.campaign_id = ${campaignId} and s.step_order = e.step_order and s.deleted_at is null and e.step_id is not null)
    where e.enrolment_id = any(${enrolmentIds}::int[])`);
}

/** Replaces the domain of contacts' addresses in the log. Indexes: enrolments_contact, events_enrolment. */
export async function forgetDomains(tx: Queryable, contactIds: readonly number[], domain: string): Promise<void> {
  const rows = await tx.query<{ id: number }>(
    sql`select e.id from enrolments e where e.contact_id = any(${contactIds}::int[]) order by e.id for no key update`,
  );
  const ids = rows.map(({ id }) => id);
  await markEnrolments(tx, ids);
  await tx.query(sql`update events set domain = ${domain} where enrolment_id = any(${ids}::int[])`);
}

const markEnrolments = async (tx: Queryable, enrolmentIds: readonly number[]): Promise<void> =>
  markForRefold(tx, await campaignsOf(tx, enrolmentIds));

/** Returns the campaigns for which events of the enrolments are logged. Index: events_enrolment. */
async function campaignsOf(tx: Queryable, enrolmentIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    sql`select distinct e.campaign_id as id from events e where e.enrolment_id = any(${enrolmentIds}::int[])`,
  );
  return rows.map(({ id }) => id);
}
