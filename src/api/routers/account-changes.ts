/** Changes to accounts. Loaded on the first change: listing accounts needs only a third of this code. */
export { archiveAccount, deleteAccount, pauseAccount, resumeAccount, unarchiveAccount } from '../../campaigns/index.ts';
