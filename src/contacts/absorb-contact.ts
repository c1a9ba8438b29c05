import { audit, type Caller, differences, lockRecord, visibleIds } from '../access/index.ts';
import type { App } from '../app.ts';
import { mailboxKey } from '../core/email-address.ts';
import { conflict, invalid } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { CONTACT } from './change-contact.ts';
import type { Contact } from './entities.ts';

/**
 * Gives a contact the name, company, custom fields and lists that it lacks and another contact of the same mailbox has. The other one keeps
 * its values and leaves all lists. Locks both. Throws `not_found`, `invalid_request` if there is no other contact or their mailboxes
 * differ, and `conflict` if both are one contact, or if a contact that is shared with everyone would show values of a private one.
 * @returns true if one of them is archived
 */
export async function absorbContact(tx: Tx, app: App, caller: Caller, id: number, otherId: number): Promise<boolean> {
  if (id === otherId) throw conflict('a contact cannot be merged into itself');
  if (!(await visibleIds(tx, caller, 'contacts', [otherId])).has(otherId)) throw invalid(`contact_id: there is no contact ${otherId}`);
  // In the order of their ids, so that two merges can't deadlock.
  const locked = new Map<number, Contact>();
  for (const each of [id, otherId].sort((a, b) => a - b)) locked.set(each, await lockRecord(tx, caller, CONTACT, each));
  const [contact, other] = [locked.get(id) as Contact, locked.get(otherId) as Contact];
  if (mailboxKey(contact.email) !== mailboxKey(other.email))
    throw invalid(`contact_id: ${other.email} is not the mailbox of ${contact.email}; only contacts of one mailbox can be merged`);
  if (contact.is_shared_to_all && !other.is_shared_to_all)
    throw conflict(`contact ${otherId} is private and contact ${id} is shared with everyone; make both private or both shared first`);
  const patch = {
    name: contact.name === '' ? other.name : contact.name,
    company: contact.company ?? other.company,
    custom_fields: { ...other.custom_fields, ...contact.custom_fields },
  };
  const now = app.clock.now();
  const changes = differences(contact, patch);
  Object.assign(contact, patch, { updated_at: now });
  // Updated, not inserted: campaigns that follow a list enrol contacts who are inserted into it.
  await tx.query(sql`
    update list_members m set contact_id = ${id} where m.contact_id = ${otherId}
      and not exists (select from list_members own where own.list_id = m.list_id and own.contact_id = ${id})`);
  await tx.query(sql`delete from list_members where contact_id = ${otherId}`);
  await audit(tx, caller, now, {
    action: 'contact.merge',
    resourceType: 'contact',
    resourceId: id,
    changes: { contact_id: otherId, email: other.email, ...changes },
  });
  return contact.is_archived || other.is_archived;
}
