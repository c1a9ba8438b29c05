import { DateTime } from 'luxon';
import type { Person } from './people.ts';

/** The email that a message answers. */
export interface Answered {
  messageId: string;
  subject: string;
  sender: string;
}

const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n`;

const headersOf = (person: Person, { sender, subject, messageId }: Answered, at: Date) => [
  `From: ${person.name} <${person.email}>`,
  `To: <${sender}>`,
  `Date: ${DateTime.fromJSDate(at, { zone: 'utc' }).toRFC2822()}`,
  `Message-ID: <${at.getTime()}.${person.email}>`,
  `Subject: ${/^re:/i.test(subject) ? subject : `Re: ${subject}`}`,
  `In-Reply-To: ${messageId}`,
  `References: ${messageId}`,
  'MIME-Version: 1.0',
];

const ANSWERS = [
  'Thanks for writing. Could we talk on Thursday at ten?',
  'Interesting. Please send me the prices for a team of twelve.',
  'Not now, but do ask me again in the autumn.',
  'My colleague in purchasing takes care of this; I have passed it on.',
  'Yes, let us try it. What do you need from us?',
];

/** A reply written by a person (RFC 5322). */
export function reply(person: Person, answered: Answered, at: Date, choice: number): string {
  const text = ANSWERS[choice % ANSWERS.length] ?? '';
  return lines(...headersOf(person, answered, at), 'Content-Type: text/plain; charset=utf-8', '', text, '', person.name);
}

/** An out-of-office auto-reply (RFC 3834). */
export function outOfOffice(person: Person, answered: Answered, at: Date): string {
  const back = DateTime.fromJSDate(at, { zone: 'utc' }).plus({ days: 2 }).toISODate() ?? '';
  return lines(
    ...headersOf(person, { ...answered, subject: `Out of office: ${answered.subject}` }, at),
    'Auto-Submitted: auto-replied',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `I am out of the office and will be back on ${back}.`,
  );
}

/** A delivery status notification from a server that accepted an email and could not deliver it (RFC 3464). */
export function deliveryFailure(person: Person, answered: Answered, at: Date): string {
  const boundary = `report-${at.getTime()}`;
  return lines(
    'From: Mail Delivery System <MAILER-DAEMON@mx.example.net>',
    `To: <${answered.sender}>`,
    `Date: ${DateTime.fromJSDate(at, { zone: 'utc' }).toRFC2822()}`,
    `Message-ID: <${at.getTime()}.bounce.${person.email}>`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Your message to <${person.email}> could not be delivered: the mailbox no longer exists.`,
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    `Final-Recipient: rfc822; ${person.email}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    `From: <${answered.sender}>`,
    `To: <${person.email}>`,
    `Subject: ${answered.subject}`,
    `Message-ID: ${answered.messageId}`,
    `--${boundary}--`,
  );
}
