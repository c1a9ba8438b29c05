import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import {
  type ContactPatch,
  type ContactRow,
  changeContact as changeFields,
  getContact,
  removeContact,
  setContactArchived,
} from '../../contacts/index.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { rematchContact } from '../enrolments/rematch.ts';
import { endEnrolments } from '../enrolments/transitions.ts';
import { enrolmentIs } from '../states/enrolment.ts';

/** Changes a contact as `changeContact` of contacts/ does, and matches its provider again if the address changes. */
export async function changeContact(app: App, caller: Caller, id: number, patch: ContactPatch): Promise<ContactRow> {
  return app.db.tx(async (tx) => {
    const changed = await changeFields({ ...app, db: app.db.within(tx) }, caller, id, patch);
    if (patch.email !== undefined) await rematchContact(tx, app, id);
    return changed;
  });
}

/** Archives a contact and stops its active enrolments. Archiving an archived one changes nothing. Throws `not_found`. */
export async function archiveContact(app: App, caller: Caller, id: number): Promise<ContactRow> {
  await app.db.tx(async (tx) => {
    await setContactArchived(tx, app, caller, id, true);
    await stopEnrolmentsOf(tx, app, caller, id, 'contact_archived');
  });
  return getContact(app.db, caller, id);
}

/** Unarchives a contact. Enrolments that archiving stopped stay stopped. Throws `not_found`. */
export async function unarchiveContact(app: App, caller: Caller, id: number): Promise<ContactRow> {
  await app.db.tx((tx) => setContactArchived(tx, app, caller, id, false));
  return getContact(app.db, caller, id);
}

/** Moves a contact to the trash and stops its active enrolments. Throws `not_found`. */
export async function deleteContact(app: App, caller: Caller, id: number): Promise<void> {
  await app.db.tx(async (tx) => {
    await removeContact(tx, app, caller, id);
    await stopEnrolmentsOf(tx, app, caller, id, 'contact_deleted');
  });
}

/** Index: enrolments_contact. */
async function stopEnrolmentsOf(tx: Tx, app: App, caller: Caller, contactId: number, reason: string): Promise<void> {
  const active = await tx.query<{ id: number }>(
    sql`select e.id from enrolments e where e.contact_id = ${contactId} and ${enrolmentIs('e', 'active')}`,
  );
  await endEnrolments(
    tx,
    app,
    caller,
    active.map((row) => row.id),
    { status: 'stopped', reason },
  );
}
