import { bounce, message } from '../inbound-mail.ts';
import type { SentMail } from '../polled-mailbox.ts';

/**
 * Messages about an email: their content, their writer, and the evidence that matches them to it. A peer is another contact, a namesake is
 * the person who was emailed, writing from another address at the same company, and the boss gets copies.
 */
export const SAYINGS = ['reply', 'maybe', 'removal', 'away', 'gone', 'hard', 'soft', 'blame', 'complaint', 'delay'] as const;
type Saying = (typeof SAYINGS)[number];
export const WRITERS = [
  ...(['contact', 'respelled', 'present', 'namesake', 'colleague', 'peer', 'boss', 'stranger', 'account', 'own side'] as const),
] as const;
export type LetterWriter = (typeof WRITERS)[number];
export const MARKS = ['id', 'copy', 'ref', 'returned', 'address'] as const;
type Mark = (typeof MARKS)[number];

export interface Letter {
  saying: Saying;
  writer: LetterWriter;
  /** The strongest mark in it: our Message-ID, that of a copy, our X-Entity-Ref-ID, our header, or only the address. */
  mark: Mark;
}

/** Data that a letter needs of the email that it is about. */
export interface Subject {
  messageId: string;
  recipient: string;
  /** The name of the contact. */
  name: string;
  senderEmail: string;
  subject: string;
  sentAt: Date;
  /** Addresses of the writers. */
  from: Record<LetterWriter, string>;
}

const WORDS: Partial<Record<Saying, string>> = {
  reply: 'Yes, let us talk.',
  maybe: 'Not interested. Please remove.',
  removal: 'Please remove me from your list.',
  away: 'I am away.',
  gone: 'Hello, Ada Lovelace is no longer with the company. I have her tasks now. Best, Bob',
};

/** Returns the message as it arrives. Reports of delivery come from a server, whoever the writer is. */
export function rawLetter(letter: Letter, about: Subject): string {
  const mail = { messageId: about.messageId, recipient: about.recipient } as SentMail;
  switch (letter.saying) {
    case 'hard':
      return bounce(mail, { returned: returnedOf(letter.mark, about) });
    case 'soft':
      return bounce(mail, { status: '4.2.2', diagnostic: '452 4.2.2 Mailbox full', returned: returnedOf(letter.mark, about) });
    case 'blame':
      return bounce(mail, { status: '5.3.4', diagnostic: '552 5.3.4 Message too large', returned: returnedOf(letter.mark, about) });
    case 'delay':
      return bounce(mail, {
        action: 'delayed',
        status: '4.4.1',
        diagnostic: '450 4.4.1 Timeout',
        returned: returnedOf(letter.mark, about),
      });
    case 'complaint':
      return complaint(letter.mark, about);
    default:
      return written(letter, about);
  }
}

function written({ saying, writer, mark }: Letter, about: Subject): string {
  const isAutomatic = saying === 'away';
  const marks: Record<string, string> = mark === 'id' || mark === 'copy' ? { 'In-Reply-To': about.messageId } : {};
  return message(
    {
      From: `${writer === 'namesake' ? lastNameFirst(about.name) : 'Somebody'} <${about.from[writer]}>`,
      Subject: isAutomatic ? `Automatic reply: ${about.subject}` : `Re: ${about.subject}`,
      ...(isAutomatic ? { 'Auto-Submitted': 'auto-replied' } : {}),
      ...marks,
    },
    WORDS[saying] ?? '',
  );
}

/** Formats a name as Outlook does. */
const lastNameFirst = (name: string) => `"${name.split(' ').toReversed().join(', ')} | Acme"`;

/** X-Entity-Ref-ID is the local part of our Message-ID. */
const refOf = (messageId: string) => messageId.slice(1, messageId.indexOf('@'));

function returnedOf(mark: Mark, about: Subject): Record<string, string> | null {
  if (mark === 'id' || mark === 'copy') return { 'Message-ID': about.messageId, To: about.recipient };
  if (mark === 'ref') return { 'X-Entity-Ref-ID': refOf(about.messageId), To: about.recipient };
  if (mark === 'address') return null;
  return { From: about.senderEmail, To: about.recipient, Subject: about.subject, Date: about.sentAt.toUTCString() };
}

/** Writes an abuse report (RFC 5965). */
function complaint(mark: Mark, about: Subject): string {
  const returned = returnedOf(mark, about) ?? {};
  return message(
    {
      From: 'abuse@provider.example',
      Subject: 'Complaint about a message',
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/report; report-type=feedback-report; boundary="f"',
    },
    [
      ...['--f', '', 'A person reported this email as spam.', '--f', 'Content-Type: message/feedback-report', ''],
      ...['Feedback-Type: abuse', 'User-Agent: Provider/1.0', 'Version: 1', `Original-Rcpt-To: ${about.recipient}`, ''],
      ...[
        '--f',
        'Content-Type: text/rfc822-headers',
        '',
        ...Object.entries(returned).map(([name, value]) => `${name}: ${value}`),
        '',
        '--f--',
      ],
    ],
  );
}
