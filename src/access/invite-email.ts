import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';

/** Short, because the user who invites waits for the mail server. */
const TIMEOUTS = { connectionTimeout: 5 * SECOND, greetingTimeout: 5 * SECOND, socketTimeout: 10 * SECOND };

/** Contents of an invitation; the link is valid for `days` days. */
export interface InviteEmail {
  name: string;
  email: string;
  workspace: string;
  link: string;
  days: number;
}

/**
 * Emails an invitation if a system SMTP server is configured. Returns true if the server accepted it. A failure is only
 * logged, because the user has been added by then and the link can be renewed.
 */
export async function emailInvite(app: App, invite: InviteEmail): Promise<boolean> {
  const { systemSmtpUrl, systemFrom } = app.config;
  if (systemSmtpUrl === undefined || systemFrom === undefined) return false;
  // Imported here, so that commands that send nothing do not load it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: systemSmtpUrl, ...TIMEOUTS });
  try {
    await transport.sendMail({
      from: { name: 'Outreach', address: systemFrom },
      to: { name: invite.name, address: invite.email },
      subject: `You have been invited to ${invite.workspace} on Outreach`,
      // Prevents auto-replies (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      text: textOf(invite),
      disableUrlAccess: true,
      disableFileAccess: true,
    });
    return true;
  } catch (error) {
    app.log.warn({ email: invite.email, error: messageOf(error) }, 'the invitation was not sent; to renew it, run: outreach user invite');
    return false;
  } finally {
    transport.close();
  }
}

const textOf = ({ name, workspace, link, days }: InviteEmail) => `Hello ${name},

You have been given access to the workspace "${workspace}" on Outreach. Open
this page to accept and to get your first API key, which is shown only once:

${link}

The link can be used once, within ${days} days. If you did not expect this
email, you can ignore it.
`;
