import type { App } from '../app.ts';
import { messageOf } from '../core/errors.ts';
import { sendSystemEmail } from './system-email.ts';

/**
 * Contents of an invitation; the link is valid for `days` days. It contains no free text of a key's owner, who could otherwise send
 * strangers anything: the user's name is left out, and workspaces are named by the operator.
 */
export interface InviteEmail {
  userId: number;
  email: string;
  workspace: string;
  link: string;
  days: number;
}

/**
 * Emails an invitation if a system SMTP server is configured. Returns true if the server accepted it. A failure is only logged, without the
 * address, because the user has already been added and the link can be renewed.
 */
export async function emailInvite(app: App, invite: InviteEmail): Promise<boolean> {
  const subject = `You have been invited to ${invite.workspace} on Outreach`;
  try {
    return await sendSystemEmail(app.config, { to: invite.email, subject, text: textOf(invite) });
  } catch (error) {
    const reason = messageOf(error).replaceAll(invite.email, '…');
    app.log.warn({ user_id: invite.userId, reason }, 'the invitation was not sent; to renew it, run: outreach user invite');
    return false;
  }
}

const textOf = ({ workspace, link, days }: InviteEmail) => `Hello,

You have been given access to the workspace "${workspace}" on Outreach. Open
this page to accept and to get your first API key, which is shown only once:

${link}

The link can be used once, within ${days} days. If you did not expect this
email, you can ignore it.
`;
