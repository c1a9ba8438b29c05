import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { zoneInFields } from '../schedule/contact-zone.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import { holdEverywhere } from './hold-everywhere.ts';
import { endEnrolments } from './transitions.ts';

/**
 * Gives a contact the enrolments and pending enrolments of another contact with the same mailbox. In a sequence that both are in, both keep
 * their enrolments. The stricter state of the two applies: the contact's own enrolment is stopped if the other's has ended or was sent
 * more, so that nothing is sent twice or after an answer, and the contact is held as long as the longer hold of the two. Indexes:
 * enrolments_contact, enrolments_campaign_id_contact_id_key.
 */
export async function mergeEnrolments(tx: Tx, app: App, caller: Caller, contactId: number, otherId: number): Promise<void> {
  await tx.query(sql`
    select e.id from enrolments e where e.contact_id = any(${[contactId, otherId]}::int[]) order by e.id for update`);
  await tx.query(sql`
    update enrolments e set contact_id = ${contactId}, timezone = (select ${zoneInFields('k')} from contacts k where k.id = ${contactId})
    where e.contact_id = ${otherId} and not exists (select ${inSameSequence(contactId)})`);
  await tx.query(sql`update pending_enrolments set contact_id = ${contactId} where contact_id = ${otherId}`);
  const superseded = await tx.query<{ id: number }>(sql`
    select e.id from enrolments e where e.contact_id = ${contactId} and ${enrolmentIs('e', 'active')} and exists (
      select ${inSameSequence(otherId)} and (not ${enrolmentIs('o', 'active')} or o.last_sent_step > e.last_sent_step))`);
  await endEnrolments(
    tx,
    app,
    caller,
    superseded.map(({ id }) => id),
    { status: 'stopped', reason: 'contact_merged' },
  );
  await extendHold(tx, app, contactId, otherId);
}

/** From clause: the enrolments `o` of a contact in the sequence of enrolment `e`, that is, in its campaign or its rotation group. */
const inSameSequence = (contactId: number): Sql => sql`
  from enrolments o join campaigns oc on oc.id = o.campaign_id join campaigns c on c.id = e.campaign_id
  where o.contact_id = ${contactId} and (oc.id = c.id or oc.rotation_group_id = c.rotation_group_id)`;

/** Holds a contact until the end of the longest hold for a reply, of this or the other contact. */
async function extendHold(tx: Tx, app: App, contactId: number, otherId: number): Promise<void> {
  const [hold] = await tx.query<{ id: number; until: Date; reason: string; replyId: number }>(sql`
    select (select min(own.id) from enrolments own where own.contact_id = ${contactId}) as id, e.held_until as until, e.hold_reason as reason,
      e.held_by as "replyId"
    from enrolments e where e.contact_id = any(${[contactId, otherId]}::int[]) and e.held_by is not null and e.held_until > ${app.clock.now()}
    order by e.held_until desc, e.id limit 1`);
  if (hold !== undefined) await holdEverywhere(tx, app, hold.id, hold);
}
