import { type Queryable, sql } from '../../db/statement.ts';

/** An enrolment of a contact who wrote to us. */
export interface OwnEnrolment {
  id: number;
  campaignId: number;
  contactId: number;
  /** The last step that was sent; 1 if none was. */
  lastStep: number;
}

/**
 * Finds the enrolments of the contact with this address in the campaign of a given enrolment, or in its rotation group, without the given
 * one. Indexes: contacts_email, enrolments_contact.
 */
export function enrolmentsOfAddress(db: Queryable, enrolmentId: number, address: string): Promise<OwnEnrolment[]> {
  return db.query<OwnEnrolment>(sql`
    select e.id, e.campaign_id as "campaignId", e.contact_id as "contactId", greatest(e.last_sent_step, 1) as "lastStep"
    from enrolments about join campaigns c on c.id = about.campaign_id
    join contacts k on k.workspace_id = about.workspace_id and mailbox_key(k.email) = mailbox_key(${address}) and k.deleted_at is null
    join enrolments e on e.contact_id = k.id and e.id <> about.id
    join campaigns own on own.id = e.campaign_id and (own.id = c.id or own.rotation_group_id = c.rotation_group_id)
    where about.id = ${enrolmentId} order by e.id`);
}
