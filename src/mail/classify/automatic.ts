import { localPartOf } from './addresses.ts';
import { field, fieldValues, type Mail } from './message.ts';
import { BULK_SENTENCES, CHALLENGES, FILTER_SUBJECTS, LIST_MANAGER_SUBJECTS, LIST_NOTICE_SUBJECTS } from './phrases/programs.ts';
import { LIST_MANAGERS, ROBOTS, SERVICES } from './phrases/senders.ts';
import type { QuoteParts } from './quote.ts';
import { isAnswerSubject, plainSubject } from './subject.ts';

const SERVICE_FIELD = new RegExp(`^x-${SERVICES.pattern}(-|$)`, 'iu');
const LIST_MANAGER = new RegExp(`^${LIST_MANAGERS.pattern}$`, 'iu');
const ROBOT = new RegExp(`^${ROBOTS.pattern}(?:[-+._].*)?$|[-._](?:no-?reply|bot|daemon)$`, 'iu');

/** amavis and its like report a forbidden attachment or a virus in the form of a delivery status. */
export const isFilterNotice = (mail: Mail): boolean => /^(banned|virus)\b/i.test(plainSubject(mail.subject));

/** Why a mail, although it came by itself, answers nothing: a robot's, an invitation, a question whether one is human. Null if it isn't. */
export function automaticReason(mail: Mail, { own }: QuoteParts): string | null {
  if (mail.parts.some(({ type }) => type === 'message/disposition-notification')) return 'read receipt';
  if (/report-type="?disposition-notification/i.test(field(mail, 'content-type'))) return 'read receipt';
  if (isCalendar(mail)) return 'calendar';
  if (isListNotice(mail)) return 'notice of a mailing list';
  if ([...mail.fields.keys()].some((name) => SERVICE_FIELD.test(name))) return 'notification of a service';
  const isAnswer = isAnswerSubject(mail.subject) && (field(mail, 'in-reply-to') !== '' || mail.text.length > 3_000);
  if (CHALLENGES.matches(own.slice(0, 3_000)) && !isAnswer) return 'asks whether the sender is human';
  if (FILTER_SUBJECTS.matches(plainSubject(mail.subject)) && !isAnswer) return 'notice of a content filter';
  const isGenerated = /^auto-(generated|notified)/i.test(field(mail, 'auto-submitted'));
  if (isGenerated && mail.from !== null && isRobotAddress(mail.from.address)) return 'sent by a program';
  return null;
}

/** What list servers ask and tell about subscriptions and held mails (Mailman, Majordomo, LISTSERV, Sympa, ezmlm). */
function isListNotice(mail: Mail): boolean {
  if (fieldValues(mail, 'x-list-administrivia').some((value) => /^yes/i.test(value))) return true;
  if (isAnswerSubject(mail.subject)) return false;
  const subject = plainSubject(mail.subject);
  if (LIST_NOTICE_SUBJECTS.matches(subject)) return true;
  const isManager = mail.from !== null && LIST_MANAGER.test(localPartOf(mail.from.address));
  return isManager && (/^(confirm|auth) [0-9a-f]{8,}/i.test(subject) || LIST_MANAGER_SUBJECTS.matches(subject));
}

/** Answers to invitations and invitations themselves (RFC 5546). */
function isCalendar(mail: Mail): boolean {
  const part = mail.parts.find(({ type }) => type === 'text/calendar');
  if (part !== undefined && /^METHOD:\s?(REPLY|REQUEST|CANCEL|COUNTER|PUBLISH)/im.test(part.text)) return true;
  return /method=(reply|request|cancel)/i.test(field(mail, 'content-type'));
}

const isRobotAddress = (address: string) => ROBOT.test(localPartOf(address));

/** Why a mail was written to many, or to nobody in particular: no answer to anybody. Null if it may be a person's. */
export function bulkReason(mail: Mail, { hasQuote }: QuoteParts): string | null {
  if (
    /^yes/i.test(field(mail, 'x-spam-flag')) ||
    /^yes/i.test(field(mail, 'x-spam-status')) ||
    /^fail/i.test(field(mail, 'x-ses-spam-verdict'))
  )
    return 'marked as spam';
  if (field(mail, 'in-reply-to') !== '' || fieldValues(mail, 'references').length > 0 || hasQuote) return null;
  if (fieldValues(mail, 'list-id').length === 0 && BULK_SENTENCES.matches(mail.text.slice(0, 50_000)))
    return 'says how to get no more of it';
  if (isAnswerSubject(mail.subject)) return null;
  if (fieldValues(mail, 'list-unsubscribe-post').length > 0 || fieldValues(mail, 'feedback-id').length > 0) return 'bulk mail';
  const isNewsletter = fieldValues(mail, 'list-unsubscribe').length > 0 && fieldValues(mail, 'list-post').length === 0;
  const isBulk = /^(bulk|list|junk)/i.test(field(mail, 'precedence')) && fieldValues(mail, 'list-id').length === 0;
  if (isNewsletter || isBulk) return 'bulk mail';
  if (mail.from !== null && isRobotAddress(mail.from.address)) return 'from an address that takes no mail';
  if (/^(auto-generated|auto-notified)/i.test(field(mail, 'auto-submitted'))) return 'sent by a program';
  return null;
}
