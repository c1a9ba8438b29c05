import { type Caller, requireVisible } from '../access/index.ts';
import type { App } from '../app.ts';
import type { Tx } from '../db/transaction.ts';
import { checkMailbox, LOGIN_SECONDS, type MailboxCheck, smtpProblem } from '../mail/check-login.ts';
import { openImap, openSmtp } from './credentials.ts';
import { forgetConnectionFailures } from './failures.ts';
import { wakeAccount } from './next-batch.ts';
import { namedFolders } from './poll-lease.ts';

/** Result of logging in to an account's servers and opening its mailbox; `problem` is one line, or null after success. */
export interface AccountTest {
  smtp: { host: string; port: number; problem: string | null };
  /** Null for an account without IMAP: its replies and bounces are not seen. */
  imap: ({ host: string; port: number } & MailboxCheck) | null;
}

/**
 * Logs in to both servers of an account concurrently, with a timeout in seconds, and opens the folders that are polled. A successful SMTP
 * login ends the pause after failed connections. Throws `not_found`.
 */
export async function testAccount(app: App, caller: Caller, id: number, seconds = LOGIN_SECONDS): Promise<AccountTest> {
  await requireVisible(app.db, caller, 'accounts', id);
  const [smtp, imap] = await Promise.all([openSmtp(app, id), openImap(app, id)]);
  const folders = await namedFolders(app.db, id);
  const [smtpSays, mailbox] = await Promise.all([smtpProblem(smtp, seconds), imap === null ? null : checkMailbox(imap, folders, seconds)]);
  if (smtpSays === null) await app.db.tx((tx) => endConnectionPause(tx, app, id));
  return {
    smtp: { host: smtp.host, port: smtp.port, problem: smtpSays },
    imap: imap === null || mailbox === null ? null : { host: imap.host, port: imap.port, ...mailbox },
  };
}

/** Seconds that a change of settings waits for the mail server. */
const FOLDER_SECONDS = 5;

/**
 * Checks the folders that are polled at the account's mail server. Returns a line for each folder that is missing or can't be opened, or
 * one line that says why the server could not be asked. Empty for an account without IMAP. Throws `not_found`.
 */
export async function folderWarnings(app: App, caller: Caller, id: number, seconds = FOLDER_SECONDS): Promise<string[]> {
  await requireVisible(app.db, caller, 'accounts', id);
  const imap = await openImap(app, id);
  if (imap === null) return [];
  const { problem, warnings } = await checkMailbox(imap, await namedFolders(app.db, id), seconds);
  return problem === null ? warnings : [`the mail server could not be asked for its folders: ${problem}`];
}

async function endConnectionPause(tx: Tx, app: App, id: number): Promise<void> {
  if (await forgetConnectionFailures(tx, id)) await wakeAccount(tx, id, app.clock.now());
}
