import { operator } from '../access/index.ts';
import { isLiveAccount, testAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import { missedMessages } from '../inbound/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The fields of an account that the checks read. */
export interface CheckedAccount {
  id: number;
  workspace_id: number;
  email: string;
  status: string;
  pause_reason: string | null;
  poll_error: string | null;
}

/** Returns the name of an account in findings. */
export const accountName = ({ id, email }: { id: number; email: string }): string => `account ${id} ${email}`;

/** Most concurrent logins. Providers treat many logins from one address as an attack. */
const CONCURRENT_LOGINS = 8;

/** Reads every account in use, in all workspaces. */
export const listAccounts = (app: App): Promise<CheckedAccount[]> =>
  app.db.query<CheckedAccount>(sql`
    select a.id, a.workspace_id, a.email, a.status, a.pause_reason, a.poll_error from accounts a where ${isLiveAccount('a')} order by a.id`);

/** Logs in to the servers of every account. */
export async function checkAccounts(app: App, accounts: readonly CheckedAccount[]): Promise<Finding[]> {
  const findings: Finding[][] = [];
  const waiting = [...accounts.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) findings[next[0]] = await checkAccount(app, next[1]);
  };
  await Promise.all(Array.from({ length: CONCURRENT_LOGINS }, work));
  return findings.flat();
}

async function checkAccount(app: App, account: CheckedAccount): Promise<Finding[]> {
  const { id, workspace_id, email, status, pause_reason, poll_error } = account;
  const name = accountName(account);
  try {
    const { smtp, imap } = await testAccount(app, operator(workspace_id), id);
    const login = (protocol: string, server: { host: string; port: number; problem: string | null }) =>
      server.problem === null
        ? ok(`${name} ${protocol}`, `${protocol === 'IMAP' ? 'read INBOX at' : 'logged in to'} ${server.host}:${server.port}`, name)
        : fail(`${name} ${protocol}`, server.problem, name);
    const findings = [
      login('SMTP', smtp),
      imap === null
        ? warn(`${name} IMAP`, 'not connected, so replies and bounces are not seen; connect the account again with --imap-url', name)
        : login('IMAP', imap),
    ];
    findings.push(...(imap?.warnings ?? []).map((warning) => warn(`${name} IMAP`, warning, name)));
    if (poll_error !== null) findings.push(warn(`${name} IMAP`, `the latest poll failed, and follow-ups wait for it: ${poll_error}`, name));
    findings.push(...(await missedLines(app, id)).map((message) => warn(`${name} IMAP`, message, name)));
    // Every other pause is reported by the check of its health.
    if (pause_reason === 'manual' && status === 'paused')
      findings.push(warn(name, `paused by a person; to resume it, run: outreach account resume ${id}`, name));
    return findings;
  } catch (error) {
    return [fail(name, `${messageOf(error)}; to reconnect it, run: outreach account connect ${email}`, name)];
  }
}

/** Returns a line for each message that could not be read. */
async function missedLines(app: App, id: number): Promise<string[]> {
  const messages = await missedMessages(app.db, id);
  return messages.map(
    ({ folder, uid, reason, retry_at }) =>
      `message ${uid} in ${folder} was not read (${reason}); ${retry_at === null ? 'it is quarantined: look at it in the mailbox' : `it is fetched again after ${retry_at}`}`,
  );
}
