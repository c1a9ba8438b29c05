import type { SentMail } from './polled-mailbox.ts';

let made = 0;

/** A message as it arrives. Lines of the body are joined with CRLF. */
export function message(headers: Record<string, string>, body: string | string[] = 'Hello'): string {
  const all: Record<string, string> = {
    'Message-ID': `<in-${++made}@recipient.example>`,
    Date: 'Tue, 7 Jul 2026 12:00:00 +0000',
    To: 'zoe@example.com',
    ...headers,
  };
  const lines = [...Object.entries(all).map(([name, value]) => `${name}: ${value}`), '', ...(Array.isArray(body) ? body : [body]), ''];
  return lines.join('\r\n');
}

/** A person's reply to one of our emails. */
export const reply = (mail: SentMail, headers: Record<string, string> = {}, body: string | string[] = 'Yes, let us talk.'): string =>
  message({ From: `Ada Lovelace <${mail.recipient}>`, Subject: 'Re: Hello', 'In-Reply-To': mail.messageId, ...headers }, body);

export interface BounceOptions {
  status?: string;
  action?: string;
  diagnostic?: string;
  /** Header of the returned mail; none leaves it out. */
  returned?: Record<string, string> | null;
  headers?: Record<string, string>;
}

/** A report of delivery status as RFC 3464 has it. */
export function bounce(mail: Pick<SentMail, 'messageId' | 'recipient'>, options: BounceOptions = {}): string {
  const { status = '5.1.1', action = 'failed', diagnostic = `550 ${status} User unknown` } = options;
  const returned = options.returned === undefined ? { 'Message-ID': mail.messageId, To: mail.recipient } : options.returned;
  return message(
    {
      'Return-Path': '<>',
      From: 'MAILER-DAEMON@mx.recipient.example (Mail Delivery System)',
      Subject: 'Undelivered Mail Returned to Sender',
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary="b"',
      ...options.headers,
    },
    [
      '--b',
      '',
      'Your message could not be delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.recipient.example',
      '',
      `Final-Recipient: rfc822; ${mail.recipient}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${diagnostic}`,
      '',
      ...(returned === null
        ? []
        : ['--b', 'Content-Type: text/rfc822-headers', '', ...Object.entries(returned).map(([k, v]) => `${k}: ${v}`), '']),
      '--b--',
    ],
  );
}
