/** The functions that create contacts. Loaded when the first contact is created. */
export { createContact, putContact, writeContacts } from '../../contacts/index.ts';
