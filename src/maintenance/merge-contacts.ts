import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { archiveContact, deleteContact, mergeEnrolments } from '../campaigns/index.ts';
import { absorbContact, type ContactRow, getContact } from '../contacts/index.ts';
import { raw, sql } from '../db/statement.ts';

/**
 * The tables of sent emails, events and replies, which refer to enrolments. A test checks them against the schema. Indexes:
 * outbox_enrolment_id_step_id_key, events_enrolment, replies_enrolment.
 */
const HISTORY = ['outbox', 'events', 'replies'] as const;

/**
 * Merges two contacts that share a mailbox. The first remains and gets what it lacks from the other: name, company, custom fields, lists,
 * enrolments, and the whole history. The stricter of two states applies (see `mergeEnrolments`); if one contact is archived, so is the
 * result. The other contact goes to the trash, and restoring it brings back only the address. Runs in one transaction. Throws the errors of
 * `absorbContact`.
 */
export async function mergeContacts(app: App, caller: Caller, id: number, otherId: number): Promise<ContactRow> {
  await app.db.tx(async (tx) => {
    const isArchived = await absorbContact(tx, app, caller, id, otherId);
    // Moves the other contact's history, before some of its enrolments move, too: enrolments in campaigns of both stay with it.
    const enrolments = sql`(select e.id from enrolments e where e.contact_id = ${otherId})`;
    for (const table of HISTORY) await tx.query(sql`update ${raw(table)} set contact_id = ${id} where enrolment_id in ${enrolments}`);
    await mergeEnrolments(tx, app, caller, id, otherId);
    const within = { ...app, db: app.db.within(tx) };
    if (isArchived) await archiveContact(within, caller, id);
    await deleteContact(within, caller, otherId);
  });
  return getContact(app.db, caller, id);
}
