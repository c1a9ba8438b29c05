/** Connecting, testing and changing accounts. Loaded on the first of these calls: reading an account needs no mail server. */
export { checkConnect, folderWarnings, setAccount, setDkim } from '../../accounts/index.ts';
export { connectSendingAccount, testSendingAccount } from '../../campaigns/index.ts';
