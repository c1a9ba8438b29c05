import type { TrashKind } from '../access/index.ts';
import { accountsTrash } from '../accounts/index.ts';
import { campaignsTrash } from '../campaigns/index.ts';
import { contactsTrash } from '../contacts/index.ts';
import { templatesTrash } from '../templates/index.ts';

/** Every type of record that can be deleted and restored. */
export const trashKinds: readonly TrashKind[] = [campaignsTrash, templatesTrash, ...contactsTrash, ...accountsTrash];
