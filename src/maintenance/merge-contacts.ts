import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { archiveContact, deleteContact, mergeEnrolments } from '../campaigns/index.ts';
import { absorbContact, type ContactRow, getContact } from '../contacts/index.ts';
import { raw, sql } from '../db/statement.ts';

/** The tables of what was sent to a contact and came back, by enrolment. A test follows the columns. Indexes: outbox_enrolment_id_step_id_key, events_enrolment, replies_enrolment. */
const HISTORY = ['outbox', 'events', 'replies'] as const;

/**
 * Makes one contact of two that share a mailbox. The first remains; it gets what it lacks of the other: name, company, custom fields, lists,
 * enrolments, and the whole history. The stricter of two states applies: see `mergeEnrolments`, and if one is archived, the result is. The other
 * contact goes to the trash, where a restore gives back the address alone. One transaction. Throws what `absorbContact` throws.
 */
export async function mergeContacts(app: App, caller: Caller, id: number, otherId: number): Promise<ContactRow> {
  await app.db.tx(async (tx) => {
    const isArchived = await absorbContact(tx, app, caller, id, otherId);
    // What was of the other, before some of its enrolments are no longer: those in which both are stay with it.
    const enrolments = sql`(select e.id from enrolments e where e.contact_id = ${otherId})`;
    for (const table of HISTORY) await tx.query(sql`update ${raw(table)} set contact_id = ${id} where enrolment_id in ${enrolments}`);
    await mergeEnrolments(tx, app, caller, id, otherId);
    const within = { ...app, db: app.db.within(tx) };
    if (isArchived) await archiveContact(within, caller, id);
    await deleteContact(within, caller, otherId);
  });
  return getContact(app.db, caller, id);
}
