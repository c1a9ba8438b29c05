/** Changes of contacts, loaded with the first: whoever reads them needs nothing of enrolments. */
export { archiveContact, changeContact, deleteContact, unarchiveContact } from '../../campaigns/index.ts';
export { createContact, putContact, writeContacts } from '../../contacts/index.ts';
export { mergeContacts } from '../../maintenance/merge-contacts.ts';
