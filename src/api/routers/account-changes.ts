/** Changes of accounts, loaded with the first: their lists need a third of it. */
export { archiveAccount, deleteAccount, pauseAccount, resumeAccount, unarchiveAccount } from '../../campaigns/index.ts';
