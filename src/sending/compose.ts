import { compile } from 'html-to-text';
import MailComposer from 'nodemailer/lib/mail-composer';
import { inZone } from '../zone.ts';

/** A mail as it will be written, before MIME. */
export interface Draft {
  from: { name: string; address: string };
  to: { name: string; address: string };
  /** Null when replies go to the sender. */
  replyTo: string | null;
  subject: string;
  html: string;
  messageId: string;
  /** Our own mark, which survives providers that rewrite Message-ID (Amazon SES, Outlook.com). */
  reference: string;
  inReplyTo: string | null;
  /** Message-IDs of the thread, oldest first. */
  references: readonly string[];
  date: Date;
  timezone: string;
  headers: Readonly<Record<string, string>>;
}

/** A header value that would break out of its line; such a mail is held, never repaired in silence (RFC 5322 §2.2). */
export class UnsafeHeaderError extends Error {}

const MAX_HEADER_OCTETS = 998;

/**
 * Writes a draft as a MIME message: UTF-8, quoted-printable, HTML with a text alternative made from it (RFC 2046
 * §5.1.4), the Date in the account's zone. Throws UnsafeHeaderError for a line break or control character in a header.
 */
export async function composeMessage(draft: Draft): Promise<Buffer> {
  for (const [name, value] of headerValues(draft)) checkHeader(name, value);
  const mail = new MailComposer({
    from: draft.from,
    to: draft.to.name === '' ? draft.to.address : draft.to,
    ...(draft.replyTo === null ? {} : { replyTo: { name: '', address: draft.replyTo } }),
    subject: draft.subject,
    html: draft.html,
    text: textOf(draft.html),
    messageId: draft.messageId,
    ...(draft.inReplyTo === null ? {} : { inReplyTo: draft.inReplyTo, references: [...draft.references] }),
    date: inZone(draft.date, draft.timezone).toRFC2822(),
    headers: { 'X-Outreach-Ref': draft.reference, ...draft.headers },
    textEncoding: 'quoted-printable',
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  });
  return mail.compile().build();
}

function headerValues(draft: Draft): [string, string][] {
  return [
    ['Subject', draft.subject],
    ['From', `${draft.from.name} ${draft.from.address}`],
    ['To', `${draft.to.name} ${draft.to.address}`],
    ['Reply-To', draft.replyTo ?? ''],
    ...Object.entries(draft.headers),
  ];
}

function checkHeader(name: string, value: string): void {
  if (/[\p{Cc}\u2028\u2029]/u.test(value)) throw new UnsafeHeaderError(`${name}: contains a line break or control character`);
  if (Buffer.byteLength(value) > MAX_HEADER_OCTETS) throw new UnsafeHeaderError(`${name}: longer than ${MAX_HEADER_OCTETS} octets`);
}

// Compiled once: choosing the selectors anew for every mail was a fifth of writing it.
const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'table', format: 'inline' },
  ],
});

/** The text alternative: links with their address, no images, lines as the author broke them. */
export const textOf = (html: string): string => toText(html);
