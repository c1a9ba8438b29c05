import { findRecipient, sendSystemEmail } from '../access/index.ts';
import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';
import type { SetAside } from './ended-workers.ts';

/** Says in the log that a mailbox is set aside, and to the owner of its account if the installation can send email. A failure is only logged. */
export async function tellSetAside(app: App, { id, email, workspace_id: workspaceId, created_by: owner }: SetAside): Promise<void> {
  app.log.error({ account: id, email }, 'a mailbox is set aside, because the daemon crashed three times while it was read');
  try {
    const recipient = owner === null ? undefined : await findRecipient(app.db, workspaceId, owner);
    if (recipient === undefined) return;
    const subject = `The mailbox ${email} is no longer read by Outreach`;
    await sendSystemEmail(app.config, { to: recipient.email, subject, text: textOf(email) });
  } catch (error) {
    app.log.warn({ account: id, reason: messageOf(error) }, 'the owner was not told that their mailbox is set aside');
  }
}

const textOf = (email: string) => `Hello,

Outreach crashed three times while it read the mailbox ${email}, so it does not
read that mailbox any more. Replies to emails of this account are not seen, and its
follow-ups wait. To have it read again, run:

outreach account connect ${email}
`;
