export { contactsTrash } from './trash.ts';
