import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';

/** How long the mail server may keep whoever invites waiting. */
const TIMEOUTS = { connectionTimeout: 5 * SECOND, greetingTimeout: 5 * SECOND, socketTimeout: 10 * SECOND };

/** What an invitation says: to whom, to which workspace, the link, and how many days it works. */
export interface InviteMail {
  name: string;
  email: string;
  workspace: string;
  link: string;
  days: number;
}

/**
 * Mails an invitation where system mail is configured. Answers whether the server took it: a failure is logged, since
 * the person is added already and the link can be made anew.
 */
export async function mailInvite(app: App, invite: InviteMail): Promise<boolean> {
  const { systemSmtpUrl, systemFrom } = app.config;
  if (systemSmtpUrl === undefined || systemFrom === undefined) return false;
  // Here and not above: no command should pay for loading it that mails nothing.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: systemSmtpUrl, ...TIMEOUTS });
  try {
    await transport.sendMail({
      from: { name: 'Outreach', address: systemFrom },
      to: { name: invite.name, address: invite.email },
      subject: `You have been invited to ${invite.workspace} on Outreach`,
      // So that an absent person's mailbox does not answer (RFC 3834 §5).
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

const textOf = ({ name, workspace, link, days }: InviteMail) => `Hello ${name},

You have been given access to the workspace "${workspace}" on Outreach. Open
this page to accept and to get your first API key, which is shown only once:

${link}

The link can be used once, within ${days} days. If you did not expect this
email, you can ignore it.
`;
