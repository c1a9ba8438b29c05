import { localPartOf } from './addresses.ts';
import { field, fieldValues, type InboundMessage } from './message.ts';
import { BULK_SENTENCES, CHALLENGES, FILTER_SUBJECTS, LIST_MANAGER_SUBJECTS, LIST_NOTICE_SUBJECTS } from './phrases/programs.ts';
import { LIST_MANAGERS, ROBOTS, SERVICES } from './phrases/senders.ts';
import type { QuoteParts } from './quote.ts';
import { isAnswerSubject, plainSubject } from './subject.ts';

const SERVICE_FIELD = new RegExp(`^x-${SERVICES.pattern}(-|$)`, 'iu');
const LIST_MANAGER = new RegExp(`^${LIST_MANAGERS.pattern}$`, 'iu');
const ROBOT = new RegExp(`^${ROBOTS.pattern}(?:[-+._].*)?$|[-._](?:no-?reply|bot|daemon)$`, 'iu');

/** True for a notice of amavis and other content filters, which report viruses and banned attachments as a delivery status. */
export const isFilterNotice = (message: InboundMessage): boolean => /^(banned|virus)\b/i.test(plainSubject(message.subject));

/**
 * Why a message comes from a program and is no reply, in words for a person: read receipt, invitation, notification, challenge. Null if
 * there is no sign of that.
 */
export function automaticReason(message: InboundMessage, { own }: QuoteParts): string | null {
  if (message.parts.some(({ type }) => type === 'message/disposition-notification')) return 'read receipt';
  if (/report-type="?disposition-notification/i.test(field(message, 'content-type'))) return 'read receipt';
  if (isCalendar(message)) return 'calendar';
  if (isListNotice(message)) return 'notice of a mailing list';
  if ([...message.fields.keys()].some((name) => SERVICE_FIELD.test(name))) return 'notification of a service';
  const isAnswer = isAnswerSubject(message.subject) && (field(message, 'in-reply-to') !== '' || message.text.length > 3_000);
  if (!isAnswer && CHALLENGES.matches(own.slice(0, 3_000))) return 'asks whether the sender is human';
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

/** True for an invitation and for the answer to one (RFC 5546). */
function isCalendar(message: InboundMessage): boolean {
  const part = message.parts.find(({ type }) => type === 'text/calendar');
  if (part !== undefined && /^METHOD:\s?(REPLY|REQUEST|CANCEL|COUNTER|PUBLISH)/im.test(part.text)) return true;
  return /method=(reply|request|cancel)/i.test(field(message, 'content-type'));
}

const isRobotAddress = (address: string) => ROBOT.test(localPartOf(address));

/** Why a message is bulk mail or spam, in words for a person; null if a person may have written it. */
export function bulkReason(message: InboundMessage, { hasQuote }: QuoteParts): string | null {
  if (
    /^yes/i.test(field(message, 'x-spam-flag')) ||
    /^yes/i.test(field(message, 'x-spam-status')) ||
    /^fail/i.test(field(message, 'x-ses-spam-verdict'))
  )
    return 'marked as spam';
  if (field(message, 'in-reply-to') !== '' || fieldValues(message, 'references').length > 0 || hasQuote) return null;
  if (fieldValues(message, 'list-id').length === 0 && BULK_SENTENCES.matches(message.text.slice(0, 50_000)))
    return 'has unsubscribe instructions';
  if (isAnswerSubject(message.subject)) return null;
  if (fieldValues(message, 'list-unsubscribe-post').length > 0 || fieldValues(message, 'feedback-id').length > 0) return 'bulk mail';
  const isNewsletter = fieldValues(message, 'list-unsubscribe').length > 0 && fieldValues(message, 'list-post').length === 0;
  const isBulk = /^(bulk|list|junk)/i.test(field(message, 'precedence')) && fieldValues(message, 'list-id').length === 0;
  if (isNewsletter || isBulk) return 'bulk mail';
  if (message.from !== null && isRobotAddress(message.from.address)) return 'from a no-reply address';
  if (/^(auto-generated|auto-notified)/i.test(field(message, 'auto-submitted'))) return 'sent by a program';
  return null;
}
