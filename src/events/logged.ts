import { type Caller, visible } from '../access/index.ts';
import type { EventType } from '../core/event-types.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';

/** True if an event of the type is logged for the step of the enrolment, with that reason if one is given. Index: events_enrolment. */
export async function wasLogged(
  db: Queryable,
  enrolmentId: number,
  type: EventType,
  stepOrder: number,
  reason: string | null = null,
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from events where enrolment_id = ${enrolmentId} and type = ${type} and step_order = ${stepOrder}
      and (${reason}::text is null or details->>'reason' = ${reason}) limit 1`);
  return rows.length > 0;
}

/**
 * Condition: the contact has an event of the type, in a campaign that the caller can see, and its instant meets `condition`.
 * Indexes: events_contact, events_feed_type.
 */
export const hasEvent = (caller: Caller, contactId: string, type: EventType, condition: (at: string) => Sql): Sql => sql`exists (
  select from events v join campaigns k on k.id = v.campaign_id and ${visible(caller, 'campaigns', 'k')}
  where v.contact_id = ${raw(contactId)} and v.workspace_id = ${caller.workspaceId} and v.type = ${type} and ${condition('v.at')})`;

/** Condition: an event of the type is logged for the enrolment in that column, at or after an instant if one is given. Index: events_enrolment. */
export const isLogged = (enrolmentId: string, type: EventType, since: Date | null = null): Sql => sql`exists (
  select from events v where v.enrolment_id = ${raw(enrolmentId)} and v.type = ${type} and v.at >= coalesce(${since}::timestamptz, '-infinity'))`;
