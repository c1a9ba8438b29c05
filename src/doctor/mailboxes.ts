import { operator } from '../access/index.ts';
import { testAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';
import { sql } from '../db/database.ts';
import type { DkimSetting } from '../mail/dkim.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export interface Mailbox {
  id: number;
  workspace_id: number;
  email: string;
  status: string;
  pause_reason: string | null;
  dkim: DkimSetting | null;
}

/** Logins at the same time: providers take many from one address for an attack. */
const AT_ONCE = 8;

/** Every mailbox in use, of all workspaces. */
export const listMailboxes = (app: App): Promise<Mailbox[]> =>
  app.db.query<Mailbox>(sql`
    select id, workspace_id, email, status, pause_reason, dkim from accounts where deleted_at is null and not is_archived order by id`);

/** Logs in to the servers of every mailbox. */
export async function checkMailboxes(app: App, mailboxes: readonly Mailbox[]): Promise<Finding[]> {
  const findings: Finding[][] = [];
  const waiting = [...mailboxes.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) findings[next[0]] = await checkMailbox(app, next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return findings.flat();
}

async function checkMailbox(app: App, { id, workspace_id, email, status, pause_reason }: Mailbox): Promise<Finding[]> {
  const name = `account ${id} ${email}`;
  try {
    const { smtp, imap } = await testAccount(app, operator(workspace_id), id);
    const login = (protocol: string, server: { host: string; port: number; problem: string | null }) =>
      server.problem === null
        ? ok(`${name} ${protocol}`, `logged in to ${server.host}:${server.port}`)
        : fail(`${name} ${protocol}`, server.problem);
    const findings = [
      login('SMTP', smtp),
      imap === null
        ? warn(`${name} IMAP`, 'none: replies and bounces are not seen; connect it again with --imap-url')
        : login('IMAP', imap),
    ];
    if (status !== 'active') findings.push(warn(name, `${status} (${pause_reason}); ${remedy(id, status, pause_reason)}`));
    return findings;
  } catch (error) {
    return [fail(name, `${messageOf(error)}; connect it again with: outreach account connect ${email}`)];
  }
}

function remedy(id: number, status: string, reason: string | null): string {
  if (status === 'disconnected') return 'connect it again with: outreach account connect';
  if (reason === 'provider_limit') return "it goes on by itself on the account's next day";
  return `resume it with: outreach account resume ${id}`;
}
