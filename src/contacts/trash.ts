import type { TrashKind } from '../access/index.ts';
import { sql } from '../db/statement.ts';
import { restoreCustomField } from './custom-fields.ts';
import { erasedAddress } from './erased.ts';

/** A restored contact is on its lists again, but stays stopped in its campaigns. An erased contact can't be restored. */
const contacts: TrashKind = {
  type: 'contacts',
  table: 'contacts',
  label: 'email',
  isGone: sql`t.email = ${erasedAddress('t')}`,
  taken: 'another contact has this address; delete it or change its address first',
  async restore(tx, app, _caller, id) {
    await tx.query(sql`update contacts set deleted_at = null, updated_at = ${app.clock.now()} where id = ${id}`);
  },
};

const lists: TrashKind = {
  type: 'lists',
  table: 'lists',
  label: 'name',
  async restore(tx, app, _caller, id) {
    await tx.query(sql`update lists set deleted_at = null, updated_at = ${app.clock.now()} where id = ${id}`);
  },
};

/** A deleted custom field keeps its key and its values, which are shown again after a restore. */
const customFields: TrashKind = {
  type: 'custom-fields',
  table: 'custom_fields',
  label: 'name',
  restore: (tx, _app, caller, id) => restoreCustomField(tx, caller, id),
};

/** Types of this folder that can be restored from the trash. */
export const contactsTrash: readonly TrashKind[] = [contacts, lists, customFields];
