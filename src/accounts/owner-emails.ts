import { type Caller, findRecipient, sendSystemEmail } from '../access/index.ts';
import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';
import type { UnreadMailbox } from './ended-workers.ts';

/** An account that has been connected again. */
interface Reconnected {
  id: number;
  email: string;
  ownerId: number | null;
}

/** Emails the owner of an account when another user has given it servers and credentials. Does nothing if it was the owner. */
export async function notifyReconnected(app: App, caller: Caller, { id, email, ownerId }: Reconnected): Promise<void> {
  if (ownerId === caller.userId) return;
  const owned = { id, ownerId, workspaceId: caller.workspaceId };
  await emailOwner(app, owned, `Your account ${email} was connected again on Outreach`, (workspace) =>
    reconnectedText(id, email, workspace),
  );
}

/** Logs that a mailbox is no longer read, and emails the owner of its account. */
export async function notifyNoLongerRead(
  app: App,
  { id, email, workspace_id: workspaceId, created_by: ownerId }: UnreadMailbox,
): Promise<void> {
  app.log.error({ account: id, email }, 'a mailbox is no longer read, because the daemon crashed three times while it was read');
  await emailOwner(app, { id, ownerId, workspaceId }, `The mailbox ${email} is no longer read by Outreach`, () => noLongerReadText(email));
}

/**
 * Emails the owner of an account, if there is one and the installation can send email. A failure is only logged, since the change that the
 * email reports has already happened.
 */
async function emailOwner(
  app: App,
  { id, ownerId, workspaceId }: { id: number; ownerId: number | null; workspaceId: number },
  subject: string,
  textFor: (workspace: string) => string,
): Promise<void> {
  if (ownerId === null) return;
  try {
    const owner = await findRecipient(app.db, workspaceId, ownerId);
    if (owner !== undefined) await sendSystemEmail(app.config, { to: owner.email, subject, text: textFor(owner.workspace) });
  } catch (error) {
    app.log.warn({ account: id, subject, reason: messageOf(error) }, 'an email to the owner of an account was not sent');
  }
}

const reconnectedText = (id: number, email: string, workspace: string) => `Hello,

An admin of the workspace "${workspace}" has connected your account ${email}
again, so it sends and reads through the servers that they named. To see who
it was, and from where, run:

outreach history --resource accounts/${id}

If you did not expect this, tell the admins of your workspace.
`;

const noLongerReadText = (email: string) => `Hello,

Outreach crashed three times while it read the mailbox ${email}, so it does not
read that mailbox any more. Replies to emails of this account are not seen, and its
follow-ups wait. To have it read again, run:

outreach account connect ${email}
`;
