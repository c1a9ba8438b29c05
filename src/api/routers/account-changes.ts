/** What changes accounts, loaded with the first change: their lists need a third of it. */
export { archiveAccount, deleteAccount, pauseAccount, resumeAccount, unarchiveAccount } from '../../campaigns/index.ts';
