import { type Caller, findRecipient, sendSystemEmail } from '../access/index.ts';
import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';

/** The account that somebody else than its owner has connected again. */
interface Reconnected {
  id: number;
  email: string;
  ownerId: number | null;
}

/**
 * Emails the owner of an account that somebody else has given it servers and credentials, if the installation can send email. A failure
 * is only logged: the account is connected by then, and the audit log says so too.
 */
export async function tellOwner(app: App, caller: Caller, { id, email, ownerId }: Reconnected): Promise<void> {
  if (ownerId === null || ownerId === caller.userId) return;
  try {
    const owner = await findRecipient(app.db, caller.workspaceId, ownerId);
    if (owner === undefined) return;
    const subject = `Your account ${email} was connected again on Outreach`;
    await sendSystemEmail(app.config, { to: owner.email, subject, text: textOf(id, email, owner.workspace) });
  } catch (error) {
    app.log.warn({ account_id: id, reason: messageOf(error) }, 'the owner was not told that their account was connected again');
  }
}

const textOf = (id: number, email: string, workspace: string) => `Hello,

An admin of the workspace "${workspace}" has connected your account ${email}
again, so it sends and reads through the servers that they named. To see who
it was, and from where, run:

outreach history --resource accounts/${id}

If you did not expect this, tell the admins of your workspace.
`;
