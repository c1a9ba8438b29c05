/** Connecting, testing and changing accounts, loaded with the first of them: whoever reads one asks no mail server. */
export { checkConnect, folderWarnings, setAccount, setDkim } from '../../accounts/index.ts';
export { connectSendingAccount, testSendingAccount } from '../../campaigns/index.ts';
