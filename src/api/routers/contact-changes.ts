/** Changes of contacts that end or hold their enrolments, loaded with the first: whoever reads or creates contacts needs nothing of enrolments. */
export { archiveContact, changeContact, deleteContact, unarchiveContact } from '../../campaigns/index.ts';
export { mergeContacts } from '../../maintenance/merge-contacts.ts';
