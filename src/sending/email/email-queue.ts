import { type Viewer, visible } from '../../access/index.ts';
import { campaignIs, isDue } from '../../campaigns/index.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { isInFlight, isUnresolved } from '../../outbox/index.ts';

export interface OpenEmails {
  in_flight: number;
  /** Uncertain and unknown alike. */
  unknown: number;
}

/** Counts emails in flight and unresolved, of the campaigns that the viewer sees. Indexes: outbox_open, outbox_campaign_open. */
export async function countOpenEmails(db: Queryable, viewer: Viewer): Promise<OpenEmails> {
  const [row] = await db.query<OpenEmails>(sql`
    select count(*) filter (where ${isInFlight('o')})::int as in_flight, count(*) filter (where ${isUnresolved('o')})::int as unknown
    from outbox o join campaigns c on c.id = o.campaign_id where o.closed_at is null and ${visible(viewer, 'campaigns', 'c')}`);
  return row ?? { in_flight: 0, unknown: 0 };
}

/** Counts the due emails of active campaigns, up to `atMost`. Indexes: campaigns_active, enrolments_due. */
export async function countDueEmails(db: Queryable, now: Date, atMost: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from campaigns c join enrolments e on e.campaign_id = c.id
      where ${campaignIs('c', 'active')} and c.deleted_at is null and ${isDue('e', now)} limit ${atMost}) due`);
  return row?.count ?? 0;
}
