import { type Viewer, visible } from '../../access/index.ts';
import { campaignIs, isDue } from '../../campaigns/index.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { isInFlight, isUnresolved } from '../../outbox/index.ts';

export interface OpenEmails {
  in_flight: number;
  /** Uncertain and unknown emails. */
  unknown: number;
}

/** Counts emails in flight and unresolved, of the campaigns that the viewer sees. Indexes: outbox_open, outbox_campaign_open. */
export async function countOpenEmails(db: Queryable, viewer: Viewer): Promise<OpenEmails> {
  const [row] = await db.query<OpenEmails>(sql`
    select count(*) filter (where ${isInFlight('o')})::int as in_flight, count(*) filter (where ${isUnresolved('o')})::int as unknown
    from outbox o join campaigns c on c.id = o.campaign_id where o.closed_at is null and ${visible(viewer, 'campaigns', 'c')}`);
  return row ?? { in_flight: 0, unknown: 0 };
}

/**
 * Counts the due emails of active campaigns, up to `atMost`. Follow-ups and first emails are each searched in index order, so that no
 * enrolment is read before it is due. Indexes: campaigns_active, enrolments_active.
 */
export async function countDueEmails(db: Queryable, now: Date, atMost: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from campaigns c cross join (values (true), (false)) f (is_follow_up)
      cross join lateral (
        select from enrolments e where e.campaign_id = c.id and (e.last_sent_step > 0) = f.is_follow_up and ${isDue('e', now)}
        order by e.due_at limit ${atMost}) d
      where ${campaignIs('c', 'active')} and c.deleted_at is null limit ${atMost}) due`);
  return row?.count ?? 0;
}
