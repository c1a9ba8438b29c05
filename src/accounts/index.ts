export { type AccountState, setAccountStatus, wakeAccount } from './account-status.ts';
export { type AccountRow, getAccount, listAccounts } from './accounts.ts';
export { type MailSecret, openImap, openSmtp } from './credentials.ts';
export { ACCOUNT_STATUSES, Account, type AccountStatus, PAUSE_REASONS, type PauseReason, PROVIDERS, type Provider } from './entities.ts';
export { type ImapLogin, imapClient } from './imap-client.ts';
export { type MailServer, parseMailUrl } from './mail-url.ts';
export { presetServers } from './providers.ts';
export { type Envelope, type Outcome, type Phase, type SmtpLogin, SmtpSession } from './smtp-session.ts';
export { accountsTrash } from './trash.ts';
