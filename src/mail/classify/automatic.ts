import { localPartOf } from './addresses.ts';
import { LABEL } from './introductions.ts';
import { field, fieldValues, type InboundMessage } from './message.ts';
import { BULK_SENTENCES, CHALLENGES, FILTER_SUBJECTS, LIST_MANAGER_SUBJECTS, LIST_NOTICE_SUBJECTS } from './phrases/programs.ts';
import { RECEIPT_OF_READING } from './phrases/read-receipts.ts';
import { LIST_MANAGERS, ROBOTS, SERVICES } from './phrases/senders.ts';
import type { QuoteParts } from './quote.ts';
import { isAnswerSubject, plainSubject } from './subject.ts';

const SERVICE_FIELD = new RegExp(`^x-${SERVICES.pattern}(-|$)`, 'iu');
const LIST_MANAGER = new RegExp(`^${LIST_MANAGERS.pattern}$`, 'iu');
const ROBOT = new RegExp(`^${ROBOTS.pattern}(?:[-+._].*)?$|[-._](?:no-?reply|bot|daemon)$`, 'iu');

/** True for a notice of amavis or another content filter that reports viruses and banned attachments as a delivery status. */
export const isFilterNotice = (message: InboundMessage): boolean => /^(banned|virus)\b/i.test(plainSubject(message.subject));

/**
 * Returns why a message comes from a program and is not a reply, such as a read receipt, an invitation or a notification, in words for
 * display. Null if there is no sign of that.
 * @param isProved true if it provably answers an email of ours. An invitation is then an answer, and so is a message that passed through a
 *   service
 */
export function automaticReason(message: InboundMessage, isProved: boolean): string | null {
  if (isReadReceipt(message)) return 'read receipt';
  if (isCalendar(message, isProved)) return 'calendar';
  if (isListNotice(message)) return 'notice of a mailing list';
  if (!isProved && [...message.fields.keys()].some((name) => SERVICE_FIELD.test(name))) return 'notification of a service';
  const isAnswer = isAnswerSubject(message.subject) && (field(message, 'in-reply-to') !== '' || message.text.length > 3_000);
  if (!isAnswer && FILTER_SUBJECTS.matches(plainSubject(message.subject))) return 'notice of a content filter';
  const isGenerated = /^auto-(generated|notified)/i.test(field(message, 'auto-submitted'));
  if (isGenerated && message.from !== null && isRobotAddress(message.from.address)) return 'sent by a program';
  return null;
}

/** True if a list manager writes about a subscription or a held message (Mailman, Majordomo, LISTSERV, Sympa, ezmlm). */
function isListNotice(message: InboundMessage): boolean {
  if (fieldValues(message, 'x-list-administrivia').some((value) => /^yes/i.test(value))) return true;
  if (isAnswerSubject(message.subject)) return false;
  const subject = plainSubject(message.subject);
  if (LIST_NOTICE_SUBJECTS.matches(subject)) return true;
  const isManager = message.from !== null && LIST_MANAGER.test(localPartOf(message.from.address));
  return isManager && (/^(confirm|auth) [0-9a-f]{8,}/i.test(subject) || LIST_MANAGER_SUBJECTS.matches(subject));
}

/** True for the receipt that an email client sends when a message is opened or deleted (RFC 8098), also in Outlook's format. */
function isReadReceipt(message: InboundMessage): boolean {
  if (message.parts.some(({ type }) => type === 'message/disposition-notification')) return true;
  if (/report-type="?disposition-notification/i.test(field(message, 'content-type'))) return true;
  if (message.parts.some(({ type, text }) => type === 'application/ms-tnef' && OUTLOOK_RECEIPT.test(text))) return true;
  if (!RECEIPT_OF_READING.matches(plainSubject(message.subject))) return false;
  const lines = message.text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 || (lines.length <= MAX_RECEIPT && lines.filter((line) => LABEL.test(line)).length >= 2);
}

/** Most lines of a receipt: that the message was read, with its recipient, subject and date. */
const MAX_RECEIPT = 8;
/** Message classes of receipts in Outlook's own format. */
const OUTLOOK_RECEIPT = /REPORT\.IPM\.[\w.]{1,40}\.IPNN?RN|IPM\.Microsoft Mail\.(Non-)?Read Receipt/i;

/**
 * True for an invitation and for the answer to one (RFC 5546). In our thread, an invitation is a person's answer. Answers and cancellations
 * never are, because calendars send them by themselves.
 */
function isCalendar(message: InboundMessage, isProved: boolean): boolean {
  const part = message.parts.find(({ type, text }) => type === 'text/calendar' && /^BEGIN:VCALENDAR/im.test(text));
  const inPart = /^METHOD:\s?(\w+)/im.exec(part?.text ?? '')?.[1];
  const method = (inPart ?? /method="?(\w+)/i.exec(field(message, 'content-type'))?.[1])?.toUpperCase();
  if (method === 'REPLY' || method === 'CANCEL') return true;
  if (isProved) return false;
  if (method === undefined) return part !== undefined && field(message, 'in-reply-to') === '';
  return ['REQUEST', 'COUNTER', 'PUBLISH'].includes(method);
}

const MAX_CHALLENGE = 3_000;

/** Returns why a message is the challenge of a filter, which holds our email until the sender follows a link; null if it is not one. */
export function challengeReason(message: InboundMessage, { own }: QuoteParts): string | null {
  const text = own.slice(0, MAX_CHALLENGE);
  // People mention such products in replies, too. A challenge has a link, and no line that ends in a question mark.
  const isOpen = !isAnswerSubject(message.subject) || (/https?:\/\/|\bclick|<a |my guest list/i.test(text) && !/[?？]\s*$/m.test(text));
  return isOpen && CHALLENGES.matches(text) ? 'asks whether the sender is human' : null;
}

const isRobotAddress = (address: string) => ROBOT.test(localPartOf(address));

/**
 * Returns why a message is bulk mail or spam, in words for display; null if a person may have written it. Do not call it for answers to our
 * emails.
 */
export function bulkReason(message: InboundMessage, { hasQuote }: QuoteParts): string | null {
  // A recipient who answers our email from the address that we wrote to is not a spammer, whatever a filter guesses. Other answers are not
  // for us.
  if (isAnswerSubject(message.subject)) return null;
  if (
    /^yes/i.test(field(message, 'x-spam-flag')) ||
    /^yes/i.test(field(message, 'x-spam-status')) ||
    /^fail/i.test(field(message, 'x-ses-spam-verdict'))
  )
    return 'marked as spam';
  if (field(message, 'in-reply-to') !== '' || fieldValues(message, 'references').length > 0 || hasQuote) return null;
  if (fieldValues(message, 'list-id').length === 0 && BULK_SENTENCES.matches(message.text.slice(0, 50_000)))
    return 'has unsubscribe instructions';
  if (fieldValues(message, 'list-unsubscribe-post').length > 0 || fieldValues(message, 'feedback-id').length > 0) return 'bulk mail';
  const isNewsletter = fieldValues(message, 'list-unsubscribe').length > 0 && fieldValues(message, 'list-post').length === 0;
  const isBulk = /^(bulk|list|junk)/i.test(field(message, 'precedence')) && fieldValues(message, 'list-id').length === 0;
  if (isNewsletter || isBulk) return 'bulk mail';
  if (message.from !== null && isRobotAddress(message.from.address)) return 'from a no-reply address';
  if (/^(auto-generated|auto-notified)/i.test(field(message, 'auto-submitted'))) return 'sent by a program';
  return null;
}
