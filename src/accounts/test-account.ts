import { type Caller, requireVisible } from '../access/index.ts';
import type { App } from '../app.ts';
import { imapProblem, LOGIN_SECONDS, smtpProblem } from '../mail/check-login.ts';
import { openImap, openSmtp } from './credentials.ts';

/** Result of logging in to an account's servers; `problem` is one line, or null after a successful login. */
export interface AccountTest {
  smtp: { host: string; port: number; problem: string | null };
  /** Null for an account without IMAP: its replies and bounces are not seen. */
  imap: { host: string; port: number; problem: string | null } | null;
}

/** Logs in to both servers of an account concurrently, with a timeout in seconds; changes nothing. Throws `not_found`. */
export async function testAccount(app: App, caller: Caller, id: number, seconds = LOGIN_SECONDS): Promise<AccountTest> {
  await requireVisible(app.db, caller, 'accounts', id);
  const [smtp, imap] = await Promise.all([openSmtp(app, id), openImap(app, id)]);
  const [smtpSays, imapSays] = await Promise.all([smtpProblem(smtp, seconds), imap === null ? null : imapProblem(imap, seconds)]);
  return {
    smtp: { host: smtp.host, port: smtp.port, problem: smtpSays },
    imap: imap === null ? null : { host: imap.host, port: imap.port, problem: imapSays },
  };
}
