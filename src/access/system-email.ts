import { SECOND } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { type MailUrl, parseMailUrl } from '../mail/mail-url.ts';

/** Short, because the inviting user waits for the mail server. */
const TIMEOUTS = { connectionTimeout: 5 * SECOND, greetingTimeout: 5 * SECOND, socketTimeout: 10 * SECOND };

/** An email from the installation itself to one of its users. */
export interface SystemEmail {
  to: string;
  subject: string;
  text: string;
  /** The same text as HTML. */
  html?: string;
}

/**
 * Returns the mail server of the setting `systemSmtpUrl`, which must encrypt unless it is this machine or the URL ends in `?tls=off`.
 * Undefined without the setting. Throws `invalid_request` if it is malformed.
 */
export const systemMailServer = ({ systemSmtpUrl }: Config): MailUrl | undefined =>
  systemSmtpUrl === undefined ? undefined : parseMailUrl(systemSmtpUrl, 'smtp', 'OUTREACH_SYSTEM_SMTP_URL', { needsUser: false });

/** True if the installation itself can send email. */
export const isSystemEmailSetUp = ({ systemSmtpUrl, systemFrom }: Config): boolean =>
  systemSmtpUrl !== undefined && systemFrom !== undefined;

/**
 * Sends an email from the installation. Returns false if it is not set up for email. Throws nodemailer's error if the server did not accept
 * it.
 */
export async function sendSystemEmail(config: Config, { to, subject, text, html }: SystemEmail): Promise<boolean> {
  const { systemFrom } = config;
  const url = systemMailServer(config);
  if (url === undefined || systemFrom === undefined) return false;
  const { host, port, secure, tls, user } = url.server;
  // Imported here, so that commands that send nothing do not load it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: !secure && tls === 'required',
    ignoreTLS: !secure && tls === 'off',
    ...(user === null ? {} : { auth: { user, pass: url.password ?? '' } }),
    ...TIMEOUTS,
  });
  try {
    await transport.sendMail({
      from: systemFrom,
      to,
      subject,
      text,
      html,
      // Prevents auto-replies (RFC 3834 §5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableUrlAccess: true,
      disableFileAccess: true,
    });
    return true;
  } finally {
    transport.close();
  }
}
