import { type Caller, visible } from '../access/index.ts';
import type { EventType } from '../core/event-types.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { isSameEmail } from './same-email.ts';

/** True if an event of the type is logged for the email, with the given reason, if any. Indexes: outbox_pkey, events_enrolment. */
export async function wasLogged(db: Queryable, emailId: number, type: EventType, reason: string | null = null): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from outbox o join events v on v.enrolment_id = o.enrolment_id and v.type = ${type} and ${isSameEmail('v', 'o')}
    where o.id = ${emailId} and (${reason}::text is null or v.details->>'reason' = ${reason}) limit 1`);
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
