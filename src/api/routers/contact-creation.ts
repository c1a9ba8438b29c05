/** The functions that create contacts, loaded with the first that is created. */
export { createContact, putContact, writeContacts } from '../../contacts/index.ts';
