import { type Address, addressParser } from 'postal-mime';

/** A mailbox (RFC 5322): an address and its display name, which may be empty. */
export interface NamedAddress {
  name: string;
  address: string;
}

/** A MIME part that is not the body: a report, a returned message, a calendar entry. */
export interface MessagePart {
  /** MIME type in lower case. */
  type: string;
  /** Decoded as UTF-8, truncated to 200,000 characters. */
  text: string;
}

/** A file attached to a message. Its content is not kept. */
export interface AttachedFile {
  /** The name that the sender gave it, on one line; `unnamed` if there is none. */
  name: string;
  /** Decoded size in bytes, within the part of the message that was read. */
  size: number;
}

/** An inbound message, parsed as far as the classification needs. */
export interface InboundMessage {
  /** Values of the header fields by lower-case name, unfolded and decoded, in the order of the message. */
  fields: ReadonlyMap<string, readonly string[]>;
  subject: string;
  from: NamedAddress | null;
  to: readonly NamedAddress[];
  /** From the Date field, otherwise from the last Received field; null if neither has a date. */
  date: Date | null;
  /** The text body, or the HTML body converted to text, truncated to 100,000 characters. */
  text: string;
  /** Index in the text at which the quotation begins, according to the HTML structure; null if that shows no quotation. */
  quoteAt: number | null;
  parts: readonly MessagePart[];
  /** Attachments, without the images that the HTML body shows; at most 50. */
  files: readonly AttachedFile[];
  /** True if the MIME structure could not be parsed, so that header and text are a guess. */
  isBroken: boolean;
}

/** Most characters of a field that are read. */
export const MAX_FIELD = 4_000;
/** Most fields of a header that are read. */
export const MAX_FIELDS = 1_000;
const MAX_ADDRESSES = 50;
/** The usual form of a mailbox: a name and an address. */
const PLAIN_MAILBOX = /^(?:([\w.'-]+(?: [\w.'-]+)*) <([\w.+-]+@[\w.-]+)>|([\w.+-]+@[\w.-]+))$/;
/** Shared, because creating one takes as long as decoding a part. */
export const UTF_8 = new TextDecoder();

/** Returns the first value of a header field, by lower-case name; an empty string if it is missing. */
export const field = (message: InboundMessage, name: string): string => message.fields.get(name)?.[0] ?? '';

/** Returns the Message-ID with angle brackets, or null. */
export const messageIdOf = (message: InboundMessage): string | null => /<[^<>\s]{1,500}>/.exec(field(message, 'message-id'))?.[0] ?? null;

/** Returns every value of a header field, by lower-case name. */
export const fieldValues = (message: InboundMessage, name: string): readonly string[] => message.fields.get(name) ?? [];

/** Parses the addresses of a From or To field, at most MAX_ADDRESSES. */
export function namedAddresses(value: string): NamedAddress[] {
  const text = value.slice(0, MAX_FIELD);
  const [, name = '', inBrackets, bare] = PLAIN_MAILBOX.exec(text) ?? [];
  const address = inBrackets ?? bare;
  if (address !== undefined) return [{ name, address }];
  const found: Address[] = addressParser(text, { flatten: true });
  return found.slice(0, MAX_ADDRESSES).flatMap(({ name, address }) => (address ? [{ name, address }] : []));
}

/** Parses a header block up to the first line that is not a field. Returns names in lower case and values unfolded. */
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
