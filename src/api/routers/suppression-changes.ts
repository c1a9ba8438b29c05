/** Changes to suppressions. Loaded on the first change: listing suppressions needs neither enrolments nor the list of mailbox providers. */
export { suppressAddress, suppressAll } from '../../campaigns/index.ts';
export { removeSuppression } from '../../contacts/index.ts';
