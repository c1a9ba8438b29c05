import PostalMime, { type Attachment, decodeWords, type Email } from 'postal-mime';
import { endOfWords, textAboveQuotation } from './html-quote.ts';
import { textOfHtml } from './html-text.ts';
import {
  type AttachedFile,
  headerFields,
  type InboundMessage,
  MAX_FIELD,
  MAX_FIELDS,
  type MessagePart,
  namedAddresses,
  UTF_8,
} from './message.ts';
import { withoutAttachments } from './without-attachments.ts';
import { isWrappingOf } from './wrapping.ts';

/** The rest of a larger message is ignored. */
export const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;
/**
 * Attachments of larger messages are removed first. Lines of base64 have 76 characters (RFC 2045 §6.8), so smaller messages stay below
 * MAX_LINES.
 */
const LARGE_BYTES = 1_500_000;
const MAX_TEXT = 100_000;
const MAX_PART = 200_000;
const MAX_HTML = 200_000;
const MAX_FILES = 50;
const MAX_FILE_NAME = 255;
const MIME_LIMITS = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 0, forceRfc822Attachments: true };
/** Limit on lines that begin with `--`, which the parser compares with every open boundary. No real message has more. */
const MAX_DASHED_LINES = 3_000;
/** The parser keeps each line as an object of up to a kilobyte. An attachment of a megabyte has 14,000 lines of base64. */
const MAX_LINES = 20_000;
/** A field that needs no decoding: ASCII words separated by single spaces. Most fields are like that. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/;

/** A character that `cleanText` replaces or removes. Most texts have none. */
const UNCLEAN = /[\r\0\u00a0\u2007\u200b-\u200f\u2028-\u202f\u2060-\u2064\u3000\ufeff]/;

/** A message, and the bytes of the message that it merely wraps; null if it wraps none. */
interface Parsed {
  message: InboundMessage;
  wrapped: Uint8Array | null;
}

/**
 * Parses a raw message, or the message inside if it merely wraps another one. Never throws. Limits the size and the number of lines, parts
 * and levels, so time and memory stay bounded whatever the message contains.
 */
export async function parseMessage(raw: Uint8Array): Promise<InboundMessage> {
  const { message: outer, wrapped } = await parseOne(raw);
  if (wrapped === null) return outer;
  const { message: inner } = await parseOne(wrapped);
  // The outer header has the envelope and the results of filters.
  return { ...inner, fields: new Map([...outer.fields, ...inner.fields]) };
}

async function parseOne(raw: Uint8Array): Promise<Parsed> {
  const bytes = upTo(MAX_LINES, '\n', upTo(MAX_DASHED_LINES, '\n--', withoutLargeAttachments(raw.subarray(0, MAX_MESSAGE_BYTES))));
  try {
    const email = await PostalMime.parse(withoutEnvelopeLine(bytes), MIME_LIMITS);
    if (hasLostBody(email)) return { message: fromBytes(bytes), wrapped: null };
    const message = fromMime(email);
    return { message, wrapped: wrappedIn(message, email) };
  } catch {
    return { message: fromBytes(bytes), wrapped: null };
  }
}

/** Removes attachments from a large message, because their lines would count against the limit. */
const withoutLargeAttachments = (message: Uint8Array): Uint8Array => (message.length > LARGE_BYTES ? withoutAttachments(message) : message);

/** Returns the bytes of the attached message that a message wraps, or null. */
function wrappedIn(message: InboundMessage, { attachments }: Email): Uint8Array | null {
  const attached = attachments.filter(({ mimeType }) => mimeType === 'message/rfc822');
  const [only] = attached;
  if (only === undefined || attached.length > 1 || typeof only.content === 'string') return null;
  const bytes = new Uint8Array(only.content);
  return isWrappingOf(message, bytes) ? bytes : null;
}

/** True for a multipart message whose boundary is missing, so that the parser finds no part. */
const hasLostBody = ({ text, html, attachments, headers }: Email): boolean =>
  !text && !html && attachments.length === 0 && headers.some(({ key, value }) => key === 'content-type' && /^multipart\//i.test(value));

/** Returns the bytes before the `limit`-th occurrence of a separator. */
function upTo(limit: number, separator: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length < limit) return bytes;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = -1;
  for (let count = 0; count < limit; count++) {
    at = source.indexOf(separator, at + 1);
    if (at === -1) return bytes;
  }
  return bytes.subarray(0, at);
}

const ENVELOPE_NAME = Buffer.from('From ');
/** The mark before the line, if a program took it for a line of the text. */
const QUOTE_SIGN = 0x3e;

/** Removes empty lines, and the `From ` line of mbox files, from the start of a message. */
function withoutEnvelopeLine(message: Uint8Array): Uint8Array {
  let start = 0;
  while (message[start] === 0x0a || message[start] === 0x0d) start++;
  const bytes = start > 0 ? message.subarray(start) : message;
  const name = bytes[0] === QUOTE_SIGN ? 1 : 0;
  if (ENVELOPE_NAME.every((byte, index) => bytes[name + index] === byte)) {
    const end = bytes.indexOf(0x0a);
    return end === -1 ? bytes : bytes.subarray(end + 1);
  }
  return bytes;
}

function fromMime(email: Email): InboundMessage {
  const fields = new Map<string, string[]>();
  for (const { key, value } of email.headers.slice(0, MAX_FIELDS)) addField(fields, key, value);
  const html = (email.html ?? '').slice(0, MAX_HTML);
  const text = cleanText(email.text?.trim() ? email.text : textOfHtml(html, MAX_TEXT));
  const above = textAboveQuotation(html, MAX_TEXT);
  return {
    ...envelopeOf(fields),
    text,
    quoteAt: above === null ? null : endOfWords(text, cleanText(above)),
    parts: email.attachments.flatMap(partOf),
    files: filesOf(email),
    isBroken: false,
  };
}

function addField(fields: Map<string, string[]>, name: string, value: string): void {
  const text = fieldText(value.slice(0, MAX_FIELD));
  const values = fields.get(name);
  if (values === undefined) fields.set(name, [text]);
  else values.push(text);
}

const fieldText = (value: string): string =>
  PLAIN_WORDS.test(value) && !value.includes('=?')
    ? value
    : decodeWords(value)
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim();

function envelopeOf(fields: Map<string, string[]>): Pick<InboundMessage, 'fields' | 'subject' | 'from' | 'to' | 'date'> {
  const first = (name: string) => fields.get(name)?.[0] ?? '';
  return {
    fields,
    subject: first('subject'),
    from: namedAddresses(first('from'))[0] ?? null,
    to: namedAddresses(first('to')),
    // Every server stamps its Received field with the time (RFC 5321 §4.4).
    date: dateIn(first('date')) ?? dateIn(first('received').split(';').at(-1) ?? ''),
  };
}

function dateIn(value: string): Date | null {
  const date = new Date(value.replace(/\(.*$/, ''));
  return Number.isNaN(date.getTime()) ? null : date;
}

/**
 * Returns a part if it is text, a message, a calendar by its type or file name, or in Outlook's own format. The content of images and
 * documents is never read.
 */
function partOf(part: Attachment): MessagePart[] {
  if (typeof part.content === 'string') return [];
  const bytes = new Uint8Array(part.content).subarray(0, MAX_PART);
  if (part.mimeType === 'application/ms-tnef')
    return [{ type: part.mimeType, text: Buffer.from(bytes).toString('latin1').replaceAll('\0', '') }];
  const type = part.mimeType === 'application/ics' || part.filename?.toLowerCase().endsWith('.ics') ? 'text/calendar' : part.mimeType;
  return /^(text|message)\//.test(type) ? [{ type, text: UTF_8.decode(bytes).replaceAll('\r\n', '\n') }] : [];
}

/**
 * Returns the parts that have a name or are marked as attachments, except images of the HTML body. The report of a mail server has neither.
 */
function filesOf({ attachments }: Email): AttachedFile[] {
  const files = attachments.filter(({ related, filename, disposition }) => related !== true && (filename || disposition === 'attachment'));
  return files.slice(0, MAX_FILES).map(({ filename, content }) => ({
    name:
      (filename ?? '')
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, MAX_FILE_NAME) || 'unnamed',
    size: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
  }));
}

/** Unifies line ends and spaces and removes invisible characters. */
function cleanText(text: string): string {
  const cut = text.slice(0, MAX_TEXT);
  if (!UNCLEAN.test(cut)) return cut;
  return cut
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u00a0\u2007\u202f\u3000]/g, ' ')
    .replaceAll(/[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\0]/g, '');
}

/** Reads a message whose MIME structure cannot be parsed: the header as far as it goes, and the rest as text. */
function fromBytes(bytes: Uint8Array): InboundMessage {
  const source = UTF_8.decode(bytes.subarray(0, MAX_PART)).replaceAll('\r\n', '\n');
  const end = source.indexOf('\n\n');
  const fields = new Map<string, string[]>();
  for (const [name, value] of headerFields(end === -1 ? source : source.slice(0, end))) addField(fields, name, value);
  return {
    ...envelopeOf(fields),
    text: cleanText(end === -1 ? '' : source.slice(end + 2)),
    quoteAt: null,
    parts: [],
    files: [],
    isBroken: true,
  };
}
