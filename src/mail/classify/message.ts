import PostalMime, { type Address, type Attachment, addressParser, decodeWords, type Email } from 'postal-mime';
import { textOfHtml } from './html-text.ts';

/** RFC 5322's mailbox: an address and its display name, which may be empty. */
export interface NamedAddress {
  name: string;
  address: string;
}

/** A MIME part that is not the body: a report, a returned message, a calendar entry. */
export interface MessagePart {
  /** MIME type in lower case. */
  type: string;
  /** Decoded as UTF-8, cut to MAX_PART characters. */
  text: string;
}

/** A file that came with a message; its content is not kept. */
export interface AttachedFile {
  /** As the sender named it, in one line; `unnamed` where they did not. */
  name: string;
  /** Bytes after decoding, of as much of the message as was read. */
  size: number;
}

/** An inbound message, parsed as far as its classification needs. */
export interface InboundMessage {
  /** Values of the header fields by lower-case name, unfolded and decoded, in the order of the message. */
  fields: ReadonlyMap<string, readonly string[]>;
  subject: string;
  from: NamedAddress | null;
  to: readonly NamedAddress[];
  /** From the Date field, else from the last Received field; null where neither has a date. */
  date: Date | null;
  /** The text body, or the HTML body converted to text; cut to MAX_TEXT characters. */
  text: string;
  parts: readonly MessagePart[];
  /** Attachments, without the images that the HTML body shows; at most MAX_FILES. */
  files: readonly AttachedFile[];
  /** True when the MIME structure could not be parsed, so that header and text are a guess. */
  isBroken: boolean;
}

/** Of a larger message the rest is ignored. */
const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;
const MAX_TEXT = 100_000;
const MAX_PART = 200_000;
const MAX_HTML = 200_000;
const MAX_FIELD = 4_000;
const MAX_FIELDS = 1_000;
const MAX_ADDRESSES = 50;
const MAX_FILES = 50;
const MAX_FILE_NAME = 255;
const MIME_LIMITS = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 0, forceRfc822Attachments: true };
/** Lines that begin with `--` may be boundaries, and each costs the parser a pass over all open ones; no real message has more. */
const MAX_DASHED_LINES = 3_000;
/** The parser keeps an object of a kilobyte for each line; an attachment of a megabyte has 14,000 of them in base64. */
const MAX_LINES = 20_000;

/** Parses a raw message. Never throws; time and memory are proportional to its size, whatever it contains. */
export async function parseMessage(raw: Uint8Array): Promise<InboundMessage> {
  const bytes = upTo(MAX_LINES, '\n', upTo(MAX_DASHED_LINES, '\n--', raw.subarray(0, MAX_MESSAGE_BYTES)));
  try {
    const email = await PostalMime.parse(withoutEnvelopeLine(bytes), MIME_LIMITS);
    return hasLostBody(email) ? fromBytes(bytes) : fromMime(email);
  } catch {
    return fromBytes(bytes);
  }
}

/** True for a multipart message without its boundary, of which the parser finds no part. */
const hasLostBody = ({ text, html, attachments, headers }: Email): boolean =>
  !text && !html && attachments.length === 0 && headers.some(({ key, value }) => key === 'content-type' && /^multipart\//i.test(value));

/** The bytes before the occurrence of a mark that is one too many. */
function upTo(most: number, mark: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length < most) return bytes;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = -1;
  for (let count = 0; count < most; count++) {
    at = source.indexOf(mark, at + 1);
    if (at === -1) return bytes;
  }
  return bytes.subarray(0, at);
}

/** The first value of a header field, by lower-case name; an empty string where it is missing. */
export const field = (message: InboundMessage, name: string): string => message.fields.get(name)?.[0] ?? '';

/** The Message-ID with angle brackets, or null. */
export const messageIdOf = (message: InboundMessage): string | null => /<[^<>\s]{1,500}>/.exec(field(message, 'message-id'))?.[0] ?? null;

/** Every value of a header field, by lower-case name. */
export const fieldValues = (message: InboundMessage, name: string): readonly string[] => message.fields.get(name) ?? [];

/** Removes empty lines, and the `From ` line of mbox files, from the start of a message. */
function withoutEnvelopeLine(message: Uint8Array): Uint8Array {
  const start = message.findIndex((byte) => byte !== 0x0a && byte !== 0x0d);
  const bytes = start > 0 ? message.subarray(start) : message;
  if (Buffer.from(bytes.subarray(0, 6)).toString('latin1').replace('>', '').startsWith('From ')) {
    const end = bytes.indexOf(0x0a);
    return end === -1 ? bytes : bytes.subarray(end + 1);
  }
  return bytes;
}

function fromMime(email: Email): InboundMessage {
  const fields = new Map<string, string[]>();
  for (const { key, value } of email.headers.slice(0, MAX_FIELDS)) addField(fields, key, value);
  const plain = email.text?.trim() ? email.text : textOfHtml((email.html ?? '').slice(0, MAX_HTML), MAX_TEXT);
  return {
    ...envelopeOf(fields),
    text: cleanText(plain),
    parts: email.attachments.flatMap(partOf),
    files: filesOf(email),
    isBroken: false,
  };
}

function addField(fields: Map<string, string[]>, name: string, value: string): void {
  const decoded = decodeWords(value.slice(0, MAX_FIELD)).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  const values = fields.get(name);
  if (values === undefined) fields.set(name, [decoded.trim()]);
  else values.push(decoded.trim());
}

function envelopeOf(fields: Map<string, string[]>): Pick<InboundMessage, 'fields' | 'subject' | 'from' | 'to' | 'date'> {
  const first = (name: string) => fields.get(name)?.[0] ?? '';
  // Every server stamps its Received field with the time (RFC 5321 §4.4).
  const dates = [first('date'), first('received').split(';').at(-1) ?? ''].map((text) => new Date(text.replace(/\(.*$/, '')));
  return {
    fields,
    subject: first('subject'),
    from: namedAddresses(first('from'))[0] ?? null,
    to: namedAddresses(first('to')),
    date: dates.find((date) => !Number.isNaN(date.getTime())) ?? null,
  };
}

/** The addresses of a From or To field, at most MAX_ADDRESSES. */
export function namedAddresses(value: string): NamedAddress[] {
  const found: Address[] = addressParser(value.slice(0, MAX_FIELD), { flatten: true });
  return found.slice(0, MAX_ADDRESSES).flatMap(({ name, address }) => (address ? [{ name, address }] : []));
}

/** Keeps text and message parts; the content of images and documents is never read. */
function partOf(part: Attachment): MessagePart[] {
  if (!/^(text|message)\//.test(part.mimeType) || typeof part.content === 'string') return [];
  const bytes = new Uint8Array(part.content).subarray(0, MAX_PART);
  return [{ type: part.mimeType, text: new TextDecoder().decode(bytes).replaceAll('\r\n', '\n') }];
}

/** Parts with a name, or meant to be saved. An image of the HTML body is neither, nor is the report of a mail server. */
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
  return text
    .slice(0, MAX_TEXT)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u00a0\u2007\u202f\u3000]/g, ' ')
    .replaceAll(/[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\0]/g, '');
}

/** Fallback for a message whose MIME structure cannot be parsed: the header as far as it goes, and the rest as text. */
function fromBytes(bytes: Uint8Array): InboundMessage {
  const source = new TextDecoder().decode(bytes.subarray(0, MAX_PART)).replaceAll('\r\n', '\n');
  const end = source.indexOf('\n\n');
  const fields = new Map<string, string[]>();
  for (const [name, value] of headerFields(end === -1 ? source : source.slice(0, end))) addField(fields, name, value);
  return { ...envelopeOf(fields), text: cleanText(end === -1 ? '' : source.slice(end + 2)), parts: [], files: [], isBroken: true };
}

/** Parses a header block up to the first line that is not a field. Names in lower case, values unfolded. */
export function headerFields(block: string): [string, string][] {
  const fields: [string, string][] = [];
  for (const line of block.split('\n', 10 * MAX_FIELDS)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      if (last[1].length < MAX_FIELD) last[1] += ` ${line.trim()}`;
      continue;
    }
    const match = /^([!-9;-~]{1,100}):(.*)$/.exec(line);
    if (match === null) {
      if (fields.length > 0) break;
      continue;
    }
    if (fields.length >= MAX_FIELDS) break;
    fields.push([(match[1] as string).toLowerCase(), (match[2] as string).trim()]);
  }
  return fields;
}
