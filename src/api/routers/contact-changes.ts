/** Changes to contacts that end or hold their enrolments. Loaded on the first change: reading or creating contacts needs no enrolment code. */
export { archiveContact, changeContact, deleteContact, unarchiveContact } from '../../campaigns/index.ts';
export { mergeContacts } from '../../maintenance/merge-contacts.ts';
