import { convert } from 'html-to-text';
import PostalMime, { type Address, type Attachment, addressParser, decodeWords, type Email } from 'postal-mime';

export interface Mailbox {
  name: string;
  address: string;
}

/** A part that is no body text: a report, a returned message, a calendar entry. */
export interface MailPart {
  /** MIME type in lower case. */
  type: string;
  /** Decoded as UTF-8, cut to MAX_PART characters. */
  text: string;
}

/** A received message, as far as its classification needs it. */
export interface Mail {
  /** Header fields by lower-case name, unfolded and decoded, in their order. */
  fields: ReadonlyMap<string, readonly string[]>;
  subject: string;
  from: Mailbox | null;
  to: readonly Mailbox[];
  /** What the Date field says, else the last server; null when neither does. */
  date: Date | null;
  /** The body as text, made of HTML where there is no other; cut to MAX_TEXT characters. */
  text: string;
  parts: readonly MailPart[];
  /** True when MIME could not be read and header and text are a guess. */
  isBroken: boolean;
}

/** Larger messages are read up to here. */
const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;
const MAX_TEXT = 100_000;
const MAX_PART = 200_000;
const MAX_FIELD = 4_000;
const MAX_FIELDS = 1_000;
const MAX_ADDRESSES = 50;
const MIME_LIMITS = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 0, forceRfc822Attachments: true };
const HTML_LIMITS = { maxDepth: 60, maxChildNodes: 5_000 };
/** More lines than this can't be boundaries of parts; each costs the parser a pass over those that are open. */
const MAX_DASHED_LINES = 3_000;

/** Reads a raw message. Never throws, and takes time and memory in proportion to the size, whatever was sent. */
export async function parseMail(raw: Uint8Array): Promise<Mail> {
  const bytes = withFewParts(raw.subarray(0, MAX_MESSAGE_BYTES));
  try {
    return fromMime(await PostalMime.parse(withoutEnvelopeLine(bytes), MIME_LIMITS));
  } catch {
    return fromBytes(bytes);
  }
}

function withFewParts(bytes: Uint8Array): Uint8Array {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = -1;
  for (let count = 0; count < MAX_DASHED_LINES; count++) {
    at = source.indexOf('\n--', at + 1);
    if (at === -1) return bytes;
  }
  return bytes.subarray(0, at);
}

/** The first value of a header field, or an empty string. */
export const field = (mail: Mail, name: string): string => mail.fields.get(name)?.[0] ?? '';

/** The message's own id with angle brackets, or null. */
export const messageIdOf = (mail: Mail): string | null => /<[^<>\s]{1,500}>/.exec(field(mail, 'message-id'))?.[0] ?? null;

export const fieldValues = (mail: Mail, name: string): readonly string[] => mail.fields.get(name) ?? [];

/** Empty lines, and the `From ` line that mbox files put before a message, are no header. */
function withoutEnvelopeLine(message: Uint8Array): Uint8Array {
  const start = message.findIndex((byte) => byte !== 0x0a && byte !== 0x0d);
  const bytes = start > 0 ? message.subarray(start) : message;
  if (Buffer.from(bytes.subarray(0, 6)).toString('latin1').replace('>', '').startsWith('From ')) {
    const end = bytes.indexOf(0x0a);
    return end === -1 ? bytes : bytes.subarray(end + 1);
  }
  return bytes;
}

function fromMime(email: Email): Mail {
  const fields = new Map<string, string[]>();
  for (const { key, value } of email.headers.slice(0, MAX_FIELDS)) addField(fields, key, value);
  const plain = email.text?.trim() ? email.text : textOfHtml(email.html ?? '');
  return { ...envelopeOf(fields), text: cleanText(plain), parts: email.attachments.flatMap(partOf), isBroken: false };
}

function addField(fields: Map<string, string[]>, name: string, value: string): void {
  const decoded = decodeWords(value.slice(0, MAX_FIELD)).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  const values = fields.get(name);
  if (values === undefined) fields.set(name, [decoded.trim()]);
  else values.push(decoded.trim());
}

function envelopeOf(fields: Map<string, string[]>): Pick<Mail, 'fields' | 'subject' | 'from' | 'to' | 'date'> {
  const first = (name: string) => fields.get(name)?.[0] ?? '';
  // Where the sender named no time, the server that took the mail did (RFC 5321 §4.4).
  const dates = [first('date'), first('received').split(';').at(-1) ?? ''].map((text) => new Date(text.replace(/\(.*$/, '')));
  return {
    fields,
    subject: first('subject'),
    from: mailboxes(first('from'))[0] ?? null,
    to: mailboxes(first('to')),
    date: dates.find((date) => !Number.isNaN(date.getTime())) ?? null,
  };
}

/** The mailboxes of an address field, as many as anybody writes to by hand. */
export function mailboxes(value: string): Mailbox[] {
  const found: Address[] = addressParser(value.slice(0, MAX_FIELD), { flatten: true });
  return found.slice(0, MAX_ADDRESSES).flatMap(({ name, address }) => (address ? [{ name, address }] : []));
}

/** Text and message parts are of use; pictures and documents are not looked into. */
function partOf(part: Attachment): MailPart[] {
  if (!/^(text|message)\//.test(part.mimeType) || typeof part.content === 'string') return [];
  const bytes = new Uint8Array(part.content).subarray(0, MAX_PART);
  return [{ type: part.mimeType, text: new TextDecoder().decode(bytes).replaceAll('\r\n', '\n') }];
}

function textOfHtml(html: string): string {
  if (html === '') return '';
  return convert(html.slice(0, MAX_PART), {
    wordwrap: false,
    limits: HTML_LIMITS,
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
}

/** One kind of line end and of space; no characters that are not seen. */
function cleanText(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\u00a0\u2007\u202f\u3000]/g, ' ')
    .replaceAll(/[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\0]/g, '');
}

/** What is left of a message whose MIME can't be read: its header as far as it goes, and the rest as text. */
function fromBytes(bytes: Uint8Array): Mail {
  const source = new TextDecoder().decode(bytes.subarray(0, MAX_PART)).replaceAll('\r\n', '\n');
  const end = source.indexOf('\n\n');
  const fields = new Map<string, string[]>();
  for (const [name, value] of headerFields(end === -1 ? source : source.slice(0, end))) addField(fields, name, value);
  return { ...envelopeOf(fields), text: cleanText(end === -1 ? '' : source.slice(end + 2)), parts: [], isBroken: true };
}

/** The fields of a header block, unfolded, up to the first line that is none. Names in lower case. */
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
