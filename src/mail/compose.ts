import { inZone } from '../core/zone.ts';
import { type HeaderField, multipartHeader, quotedPrintable, textValue } from './mime.ts';
import { textOf } from './text-alternative.ts';

/** An email before it is encoded as MIME. */
export interface Draft {
  from: { name: string; address: string };
  to: { name: string; address: string };
  /** Addresses of the Cc field, which every recipient sees. */
  cc?: readonly string[];
  /** Null when replies go to the sender. */
  replyTo: string | null;
  subject: string;
  html: string;
  /** The HTML that the text part is made from. It has no tracking marks, which readers should not see. */
  textHtml?: string;
  messageId: string;
  /** Value of X-Entity-Ref-ID, which survives providers that rewrite Message-ID (Amazon SES, Outlook.com). */
  reference: string;
  inReplyTo: string | null;
  /** Message-IDs of the thread, oldest first. */
  references: readonly string[];
  date: Date;
  timezone: string;
  headers: Readonly<Record<string, string>>;
}

/** Thrown for a header value that can't be written on its line (RFC 5322 §2.2). Such an email is held, never silently repaired. */
export class UnsafeHeaderError extends Error {}

const MAX_HEADER_OCTETS = 998;

/**
 * Composes the MIME message of a draft: UTF-8, quoted-printable, HTML with a text alternative made from it (RFC 2046
 * §5.1.4), the Date in the account's time zone. Throws UnsafeHeaderError if a header value contains a line break or a control
 * character, or is longer than 998 octets.
 *
 * Only the header is written by nodemailer. Its composer pipes every part through six streams, which took four fifths of the
 * time that an email needed before its envelope was sent, so the two parts are assembled here.
 */
export function composeMessage(draft: Draft): Buffer {
  const { header, boundary } = multipartHeader('alternative', headerFields(draft), draft.reference);
  return Buffer.from(`${header}\r\n${alternatives(draft, boundary)}`);
}

/** Returns the header fields except those that describe the body. Throws UnsafeHeaderError. */
export function headerFields(draft: Draft): HeaderField[] {
  for (const [name, value] of headerValues(draft)) checkHeader(name, value);
  const { cc = [] } = draft;
  return [
    { key: 'X-Entity-Ref-ID', value: draft.reference },
    ...Object.entries(draft.headers).map(([key, value]) => ({ key, value })),
    { key: 'From', value: draft.from },
    { key: 'To', value: draft.to.name === '' ? draft.to.address : draft.to },
    ...(cc.length === 0 ? [] : [{ key: 'Cc', value: cc.map((address) => ({ name: '', address })) }]),
    ...(draft.replyTo === null ? [] : [{ key: 'Reply-To', value: { name: '', address: draft.replyTo } }]),
    { key: 'Subject', value: textValue(draft.subject) },
    { key: 'Message-ID', value: draft.messageId },
    ...(draft.inReplyTo === null
      ? []
      : [
          { key: 'In-Reply-To', value: draft.inReplyTo },
          { key: 'References', value: draft.references.join(' ') },
        ]),
    { key: 'Date', value: dateIn(draft.date, draft.timezone) },
  ];
}

/** Returns the parts of a multipart/alternative: the text made from the HTML, then the HTML (RFC 2046 §5.1.4). */
export function alternatives({ html, textHtml = html }: Pick<Draft, 'html' | 'textHtml'>, boundary: string): string {
  const border = `\r\n--${boundary}`;
  const part = (type: string, content: string) =>
    `${border}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(content)}`;
  return `${part('text/plain', textOf(textHtml))}${part('text/html', html)}${border}--\r\n`;
}

let lastDate = { at: 0, timezone: '', text: '' };

/** Formats a date by RFC 5322 §3.3. Caches the last one, because many emails of a batch are composed within the same second. */
function dateIn(date: Date, timezone: string): string {
  const at = Math.floor(date.getTime() / 1_000);
  if (lastDate.at !== at || lastDate.timezone !== timezone) lastDate = { at, timezone, text: inZone(date, timezone).toRFC2822() ?? '' };
  return lastDate.text;
}

function headerValues(draft: Draft): [string, string][] {
  return [
    ['Subject', draft.subject],
    ['From', `${draft.from.name} ${draft.from.address}`],
    ['To', `${draft.to.name} ${draft.to.address}`],
    ...(draft.cc ?? []).map((address): [string, string] => ['Cc', address]),
    ['Reply-To', draft.replyTo ?? ''],
    ...Object.entries(draft.headers),
  ];
}

function checkHeader(name: string, value: string): void {
  if (/[\p{Cc}\u2028\u2029]/u.test(value)) throw new UnsafeHeaderError(`${name}: contains a line break or control character`);
  if (Buffer.byteLength(value) > MAX_HEADER_OCTETS) throw new UnsafeHeaderError(`${name}: longer than ${MAX_HEADER_OCTETS} octets`);
}
