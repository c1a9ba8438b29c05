import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { keepingReports } from './report-counters.ts';

/**
 * Takes back the events that a reply was logged as, after a person has corrected what it was: they are deleted, and the statistics are
 * those of the events that are left. The caller holds the lock of the enrolment. Index: events_enrolment.
 */
export async function retractEvents(tx: Tx, enrolmentId: number, replyId: number): Promise<void> {
  await keepingReports(tx, [enrolmentId], () => retract(tx, enrolmentId, replyId));
}

async function retract(tx: Tx, enrolmentId: number, replyId: number): Promise<void> {
  const gone = await tx.query(sql`
    delete from events where enrolment_id = ${enrolmentId} and type in ('replied', 'unsubscribed') and (details ->> 'reply_id')::int = ${replyId}
    returning 1`);
  if (gone.length === 0) return;
  await tx.query(sql`
    with firsts as (
      select min(at) filter (where type = 'replied') as replied_at, min(at) filter (where type = 'unsubscribed') as unsubscribed_at
      from events where enrolment_id = ${enrolmentId} and type in ('replied', 'unsubscribed')
    ), known as (
      select e.campaign_id, (e.replied_at is not null and f.replied_at is null)::int as replied
      from enrolments e, firsts f where e.id = ${enrolmentId}
    ), marked as (
      update enrolments e set replied_at = f.replied_at, unsubscribed_at = f.unsubscribed_at from firsts f where e.id = ${enrolmentId}
    )
    update campaign_stats s set replied = s.replied - known.replied from known where s.campaign_id = known.campaign_id`);
}
