import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { messageOf } from '../core/errors.ts';
import { type MailUrl, parseMailUrl } from '../mail/mail-url.ts';

/** Short, because the user who invites waits for the mail server. */
const TIMEOUTS = { connectionTimeout: 5 * SECOND, greetingTimeout: 5 * SECOND, socketTimeout: 10 * SECOND };

/**
 * Contents of an invitation; the link is valid for `days` days. Nothing in it is the free text of a key's owner, who could send
 * strangers anything with it: the user's name is left out, and workspaces are named by the operator.
 */
export interface InviteEmail {
  userId: number;
  email: string;
  workspace: string;
  link: string;
  days: number;
}

/**
 * The mail server of the setting `systemSmtpUrl`, which must encrypt unless it is this machine or the URL ends in `?tls=off`.
 * Undefined without the setting. Throws `invalid_request` if it is malformed.
 */
export const systemMailServer = ({ systemSmtpUrl }: Config): MailUrl | undefined =>
  systemSmtpUrl === undefined ? undefined : parseMailUrl(systemSmtpUrl, 'smtp', 'OUTREACH_SYSTEM_SMTP_URL', { needsUser: false });

/**
 * Emails an invitation if a system SMTP server is configured. Returns true if the server accepted it. A failure is only
 * logged, without the address, because the user has been added by then and the link can be renewed.
 */
export async function emailInvite(app: App, invite: InviteEmail): Promise<boolean> {
  const { systemFrom } = app.config;
  const url = systemMailServer(app.config);
  if (url === undefined || systemFrom === undefined) return false;
  const { host, port, secure, tls, user } = url.server;
  // Imported here, so that commands that send nothing do not load it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...{ host, port, secure, requireTLS: !secure && tls === 'required', ignoreTLS: !secure && tls === 'off' },
    ...(user === null ? {} : { auth: { user, pass: url.password ?? '' } }),
    ...TIMEOUTS,
  });
  try {
    await transport.sendMail({
      from: systemFrom,
      to: invite.email,
      subject: `You have been invited to ${invite.workspace} on Outreach`,
      // Prevents auto-replies (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      text: textOf(invite),
      disableUrlAccess: true,
      disableFileAccess: true,
    });
    return true;
  } catch (error) {
    const reason = messageOf(error).replaceAll(invite.email, '…');
    app.log.warn({ user_id: invite.userId, reason }, 'the invitation was not sent; to renew it, run: outreach user invite');
    return false;
  } finally {
    transport.close();
  }
}

const textOf = ({ workspace, link, days }: InviteEmail) => `Hello,

You have been given access to the workspace "${workspace}" on Outreach. Open
this page to accept and to get your first API key, which is shown only once:

${link}

The link can be used once, within ${days} days. If you did not expect this
email, you can ignore it.
`;
