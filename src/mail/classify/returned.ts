import { addressesIn, firstAddress } from './addresses.ts';
import { FAILURE_TEXT } from './bounce-texts.ts';
import { fieldValues, headerFields, type Mail } from './message.ts';

/** What a bounce, a complaint or an automatic reply shows of the mail that it is about. */
export interface Returned {
  /** Message-IDs with angle brackets: of the returned mail, then those that the message itself refers to. */
  messageIds: string[];
  /** Values of our own mark in the returned header, which survives servers that rewrite Message-ID. */
  references: string[];
  /** To whom the returned mail was written; null when that is not shown. */
  to: string | null;
  from: string | null;
  /** Where in the text the notice ends and the returned mail begins; its length when it is not there. */
  textEnd: number;
  /** Whether the header of a returned mail is really there. */
  isShown: boolean;
  /** Whether the text says that it returns the mail. */
  isAnnounced: boolean;
}

/** The header field by which our mails are known. */
const OUR_MARK = 'x-outreach-ref';
const MAX_IDS = 100;
/** Fields by which a header is known for one. */
const TELLING = new Set([
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

/** Lines that servers put between their notice and the mail that they return. */
const BOUNDARY = new RegExp(
  [
    // "--- Below this line is a copy of the message." and its like, in the words of many servers
    '^[ \\t>]*[-*=_#]{2,}[^\\n]{0,60}\\b(copy|unsent|original|returned|undelivered|bounced|message (header|text|follows)|header|enclosed|forwarded|start of)\\b[^\\n]{0,80}$',
    '^[ \\t]*(the )?(original|returned|rejected|unsent|your|following|undelivered|received|source) (e-?mail|mail|message)( (text|headers?))?( as received)?( (is|are))?( as)? (follows|following|attached|included|enclosed|below).{0,40}$',
    '^[ \\t]*(message|mail) headers? (and .{0,40} )?follows?:?[ \\t]*$',
    '^[ \\t]*(here is|this is|below is|following is|attached is|enclosed is) (a |the )?(copy|first part|header|original|text).{0,80}$',
    '^[ \\t]*the first \\d+ lines of (your|the) original.{0,40}',
    '^[ \\t]*-- ?the header and top.{0,40}$',
    '^[ \\t]*(原始邮件|原邮件(?!信息)|原信(?!息)|附件中的内容|元のメッセージ|以下は.{0,20}(メッセージ|メール)|---.{0,4}(copia|kopie|copie|kopia|копия)).{0,60}$',
  ].join('|'),
  'im',
);

const ANNOUNCEMENT = /below this line|a copy of (the|your) (original )?(message|mail)/i;

/** Below such a line stands the footer of a list. */
const UNDERLINE = /^_{20,}$/m;

/** The beginning of a mail's header in the text itself, marked as quoted or not. */
const HEADER_START =
  /^[ \t>|]*(Received: (from|by)|Return-Path: ?<?|X-Original-To:|Delivered-To:|DKIM-Signature:|Message-ID: ?<|MIME-Version: 1)/im;

/** Collects what the message shows of the mail that it answers or returns. */
export function returnedMail(mail: Mail): Returned {
  const boundary = mail.text.search(BOUNDARY);
  const header = headerStart(mail.text);
  const textEnd = Math.min(...[boundary, header, mail.text.search(UNDERLINE), mail.text.length].filter((at) => at >= 0));
  const blocks = [...mail.parts.filter(({ type }) => isReturnedPart(type)).map(({ text }) => text), mail.text.slice(textEnd)];
  const fields = blocks.map((block) => returnedFields(block));
  const all = (name: string) => fields.flatMap((block) => block.filter(([key]) => key === name).map(([, value]) => value));
  const own = ['original-message-id', 'x-original-message-id', 'x-ms-exchange-parent-message-id', 'in-reply-to', 'references'];
  const ids = [
    ...['message-id', 'x-microsoft-original-message-id', 'x-google-original-message-id', 'original-message-id'].flatMap(all),
    ...mail.parts.filter(({ type }) => /notification$|delivery-status$/.test(type)).map(({ text }) => originalId(text)),
    ...own.flatMap((name) => fieldValues(mail, name)),
    ...['in-reply-to', 'references'].flatMap(all),
  ];
  return {
    messageIds: [...new Set(ids.flatMap(messageIdsIn))].slice(0, MAX_IDS),
    references: [...new Set(all(OUR_MARK))].slice(0, MAX_IDS),
    to: all('to').map(firstAddress).find(Boolean) ?? all('x-original-to').map(firstAddress).find(Boolean) ?? null,
    from: all('from').map(firstAddress).find(Boolean) ?? null,
    textEnd,
    isAnnounced: boundary >= 0 || ANNOUNCEMENT.test(mail.text.slice(0, 5_000)),
    isShown: fields.some((block) => block.filter(([name]) => TELLING.has(name)).length >= 2),
  };
}

/**
 * Where the header of a returned mail begins, or -1. A server that copies a few of its fields to say which mail it means,
 * and names the recipient only below, has not ended its notice there.
 */
function headerStart(text: string): number {
  const start = text.search(HEADER_START);
  if (start === -1 || text.slice(0, start).includes('@')) return start;
  const end = text.indexOf('\n\n', start);
  const below = end === -1 ? '' : text.slice(end, end + 1_000);
  return FAILURE_TEXT.test(below) && addressesIn(below).length > 0 ? -1 : start;
}

/** Parts that hold the returned mail or its header (RFC 6522 §4, RFC 6533 §6, RFC 2046 §5.2.2). */
export const isReturnedPart = (type: string): boolean =>
  /^message\/(rfc822|global|partial|news|rfc822-headers|global-headers)$|^text\/rfc822(-headers?)?$/.test(type);

/** The fields of a returned mail; what stands between its boundary and its header is passed over. */
function returnedFields(block: string): [string, string][] {
  const start = block.slice(0, 20_000).search(/^[ \t>|]*[!-9;-~]{2,60}: ?\S/m);
  if (start === -1) return [];
  const text = block.slice(start, start + 60_000).replaceAll(/^[ \t]{0,8}[>|] ?/gm, '');
  return headerFields(text.replace(/^[ \t]+(?=[!-9;-~]+:)/, ''));
}

const originalId = (text: string) => /^Original-Message-ID:(.{1,500})$/im.exec(text)?.[1] ?? '';

/** Message-IDs in a header value, each with angle brackets; a bare one counts when nothing else is there. */
function messageIdsIn(value: string): string[] {
  const inBrackets = value.slice(0, 20_000).match(/<[^<>\s]{3,500}>/g);
  if (inBrackets !== null) return inBrackets;
  const bare = value.trim();
  return /^[^<>\s]+@[^<>\s]+$/.test(bare) ? [`<${bare}>`] : [];
}
