/** Changes of suppressions, loaded with the first: lists need neither enrolments nor the list of mailbox providers. */
export { suppressAddress, suppressAll } from '../../campaigns/index.ts';
export { removeSuppression } from '../../contacts/index.ts';
