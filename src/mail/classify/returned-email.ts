import { decodeWords } from 'postal-mime';
import { addressesIn, firstAddress } from './addresses.ts';
import { firstLine } from './first-line.ts';
import { fieldValues, headerFields, type InboundMessage } from './message.ts';
import { FAILURE_SENTENCES } from './phrases/failed-delivery.ts';
import { ANNOUNCEMENTS, RETURNED_CAPTIONS, RETURNED_MARKS } from './phrases/returned-email.ts';

/** The fields of a returned header that identify an email. */
export interface ReturnedHeader {
  from: string;
  to: string;
  subject: string;
  date: Date;
}

/** The parts of our email that a bounce, a complaint or an auto-reply contains. */
export interface ReturnedEmail {
  /** Message-IDs with angle brackets: those of the returned email, then those that the message itself refers to. */
  messageIds: string[];
  /** Values of X-Entity-Ref-ID in the returned header, which servers that rewrite Message-ID leave alone. */
  references: string[];
  /** Address in the returned To; null if it is missing. */
  to: string | null;
  /** Address in the returned From; null if it is missing. */
  from: string | null;
  /** Index in the text at which the returned email begins; the length of the text if it contains none. */
  textEnd: number;
  /** The returned header; null if none has all of these fields. */
  header: ReturnedHeader | null;
  /** True if the header of the returned email is included. */
  isShown: boolean;
  /** True if the text says that it returns the email. */
  isAnnounced: boolean;
}

/** The header field that marks our emails. */
const OUR_MARK = 'x-entity-ref-id';
const MAX_IDS = 100;
/** Two of these fields make a header. */
const HEADER_FIELDS = new Set([
  'received',
  'return-path',
  'message-id',
  'from',
  'to',
  'subject',
  'date',
  'mime-version',
  'x-mailer',
  'dkim-signature',
]);

/** The line between a server's notice and the message that it returns. */
const BOUNDARY = new RegExp(
  [
    // "--- Below this line is a copy of the message." and the like
    `[ \\t>]{0,80}[-*=_#]{2,}[^\\n]{0,60}\\b${RETURNED_MARKS.pattern}\\b[^\\n]{0,80}$`,
    `[ \\t]*${RETURNED_CAPTIONS.pattern}`,
  ].join('|'),
  'imuy',
);

/** The line above the footer of a mailing list. */
const UNDERLINE = /_{20,}$/my;

/** The start of a returned header inside the text, quoted or not. */
const HEADER_START =
  /[ \t>|]*(Received: (from|by)|Return-Path: ?<?|X-Original-To:|Delivered-To:|DKIM-Signature:|Message-ID: ?<|MIME-Version: 1)/iy;

/** Collects the parts of the email that an inbound message answers or returns. */
export function returnedEmail(message: InboundMessage): ReturnedEmail {
  const boundary = firstLine(message.text, BOUNDARY);
  const header = headerStart(message.text);
  const textEnd = Math.min(...[boundary, header, firstLine(message.text, UNDERLINE), message.text.length].filter((at) => at >= 0));
  const blocks = [...message.parts.filter(({ type }) => isReturnedPart(type)).map(({ text }) => text), message.text.slice(textEnd)];
  const fields = blocks.map(returnedFields).filter((block) => block.length > 0);
  const all = (name: string) => fields.flatMap((block) => block.filter(([key]) => key === name).map(([, value]) => value));
  const own = ['original-message-id', 'x-original-message-id', 'x-ms-exchange-parent-message-id', 'in-reply-to', 'references'];
  const ids = [
    ...['message-id', 'x-microsoft-original-message-id', 'x-google-original-message-id', 'original-message-id'].flatMap(all),
    ...message.parts.filter(({ type }) => /notification$|delivery-status$/.test(type)).map(({ text }) => originalId(text)),
    ...own.flatMap((name) => fieldValues(message, name)),
    ...['in-reply-to', 'references'].flatMap(all),
  ];
  return {
    messageIds: [...new Set(ids.flatMap(messageIdsIn))].slice(0, MAX_IDS),
    references: [...new Set(all(OUR_MARK))].slice(0, MAX_IDS),
    to: all('to').map(firstAddress).find(Boolean) ?? all('x-original-to').map(firstAddress).find(Boolean) ?? null,
    from: all('from').map(firstAddress).find(Boolean) ?? null,
    textEnd,
    header: fields.map(wholeHeader).find((header) => header !== null) ?? null,
    isAnnounced: boundary >= 0 || ANNOUNCEMENTS.matches(message.text.slice(0, 5_000)),
    isShown: fields.some((block) => block.filter(([name]) => HEADER_FIELDS.has(name)).length >= 2),
  };
}

/**
 * Returns the index at which the header of the returned email begins, or -1. Some servers copy a few of its fields to identify the email
 * and continue their notice below them, with the recipient. Such fields don't count.
 */
function headerStart(text: string): number {
  const start = firstLine(text, HEADER_START);
  if (start === -1 || text.slice(0, start).includes('@')) return start;
  const end = text.indexOf('\n\n', start);
  const below = end === -1 ? '' : text.slice(end, end + 1_000);
  return FAILURE_SENTENCES.matches(below) && addressesIn(below).length > 0 ? -1 : start;
}

/** True for the MIME type of a part with the returned email or its header (RFC 6522 §4, RFC 6533 §6, RFC 2046 §5.2.2). */
export const isReturnedPart = (type: string): boolean =>
  /^message\/(rfc822|global|partial|news|rfc822-headers|global-headers)$|^text\/rfc822(-headers?)?$/.test(type);

/** Returns the header fields of the returned email. Skips lines between the boundary and the header. */
function returnedFields(block: string): [string, string][] {
  const start = block.slice(0, 20_000).search(/^[ \t>|]*[!-9;-~]{2,60}: ?\S/m);
  if (start === -1) return [];
  const text = block.slice(start, start + 60_000).replaceAll(/^[ \t]{0,8}[>|] ?/gm, '');
  return headerFields(text.replace(/^[ \t]+(?=[!-9;-~]+:)/, ''));
}

/** Returns From, To, Subject and Date of a returned header; null if one of them is missing. */
function wholeHeader(block: readonly [string, string][]): ReturnedHeader | null {
  if (block.length === 0) return null;
  const first = (name: string) => block.find(([key]) => key === name)?.[1] ?? '';
  const [from, to, subject] = [firstAddress(first('from')), firstAddress(first('to')), decodeWords(first('subject'))];
  const date = new Date(first('date').replace(/\(.*$/, ''));
  return from === null || to === null || subject === '' || Number.isNaN(date.getTime()) ? null : { from, to, subject, date };
}

const originalId = (text: string) => /^Original-Message-ID:(.{1,500})$/im.exec(text)?.[1] ?? '';

/** Returns the Message-IDs in a header value, with angle brackets. One without brackets counts only if it is the whole value. */
function messageIdsIn(value: string): string[] {
  const inBrackets = value.slice(0, 20_000).match(/<[^<>\s]{3,500}>/g);
  if (inBrackets !== null) return inBrackets;
  const bare = value.trim();
  return /^[^<>\s]+@[^<>\s]+$/.test(bare) ? [`<${bare}>`] : [];
}
