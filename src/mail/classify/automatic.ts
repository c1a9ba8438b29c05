import { localPartOf } from './addresses.ts';
import { field, fieldValues, type Mail } from './message.ts';
import type { QuoteParts } from './quote.ts';
import { isAnswerSubject, plainSubject } from './subject.ts';

/** Programs that write to everybody who follows something, by a field that only they set. */
const BOT_FIELDS =
  /^x-(bugzilla|github|gitlab|jira|redmine|jenkins|launchpad|gerrit|phabricator|debian-pr|google-code|travis|sourceforge|trac|mantis|circleci|sonar|syzbot|debbugs|linkedin|facebook|slack|twitter|asana|trello|notion|dropbox|meetup)(-|$)/;

const CHALLENGE =
  /(account|mailbox|inbox|address) is protected by|click (on )?(the|this) (following )?link (below )?to (verify|confirm|have your (e-?mail|address)|be added|authenticate|deliver)|(verify|confirm|prove) that you are (a )?(human|real|not a (robot|spammer))|sender (verification|authentication|confirmation)( request| required)?|challenge[- ]response|waiting for your (confirmation|verification)|(confirm|verify) (your|the) (message|e-?mail|mail|identity|sender) (by|to|so)|has (not )?been (placed|held) (in|on) .{0,40}(pending|until) .{0,60}(verif|confirm)|one[- ]time (verification|confirmation)|boxbe|spamarrest|bluebottle|knowspam|spamcop challenge|qurb|mailblocks|active spam killer|tmda\b|to (release|deliver) your (message|e-?mail) .{0,60}(reply to this|click)|(reply|respond) to this (message|e-?mail) (to|so that|without changing).{0,80}(confirm|deliver|accept|whitelist)/i;

const BLOCK_NOTICE =
  /^(banned|virus|spam|unsafe|infected|blocked|\*+ ?(virus|warning)|(e-?mail )?(virus|content) (alert|warning|found|notification|violation)|(your )?(e-?mail|message|mail) (was |has been )?(blocked|quarantined|banned|contained? (a )?virus)|symantec|scanmail|mailmarshal|antigen|warning: e-?mail viruses|attachment (removed|blocked))/i;

/** amavis and its like report a forbidden attachment or a virus in the form of a delivery status. */
export const isFilterNotice = (mail: Mail): boolean => /^(banned|virus)\b/i.test(plainSubject(mail.subject));

/** Why a mail, although it came by itself, answers nothing: a robot's, an invitation, a question whether one is human. Null if it isn't. */
export function automaticReason(mail: Mail, { own }: QuoteParts): string | null {
  if (mail.parts.some(({ type }) => type === 'message/disposition-notification')) return 'read receipt';
  if (/report-type="?disposition-notification/i.test(field(mail, 'content-type'))) return 'read receipt';
  if (isCalendar(mail)) return 'calendar';
  if (isListNotice(mail)) return 'notice of a mailing list';
  if ([...mail.fields.keys()].some((name) => BOT_FIELDS.test(name))) return 'notification of a service';
  const isAnswer = isAnswerSubject(mail.subject) && (field(mail, 'in-reply-to') !== '' || mail.text.length > 3_000);
  if (CHALLENGE.test(own.slice(0, 3_000)) && !isAnswer) return 'asks whether the sender is human';
  if (BLOCK_NOTICE.test(plainSubject(mail.subject)) && !isAnswer) return 'notice of a content filter';
  const isGenerated = /^auto-(generated|notified)/i.test(field(mail, 'auto-submitted'));
  if (isGenerated && mail.from !== null && isRobotAddress(mail.from.address)) return 'sent by a program';
  return null;
}

/** What list servers ask and tell about subscriptions and held mails (Mailman, Majordomo, LISTSERV, Sympa, ezmlm). */
function isListNotice(mail: Mail): boolean {
  if (fieldValues(mail, 'x-list-administrivia').some((value) => /^yes/i.test(value))) return true;
  if (isAnswerSubject(mail.subject)) return false;
  const subject = plainSubject(mail.subject);
  const isManager =
    mail.from !== null &&
    /^(listserv|majordomo|mailman|sympa|ezmlm|lyris|listmaster|.*-(request|confirm|help|owner|bounces|admin))$/.test(
      localPartOf(mail.from.address),
    );
  const isConfirmation =
    /^(confirm [0-9a-f]{8,}|auth [0-9a-f]{8,})|\b(confirm|request) .{0,30}subscription|subscription (confirmation|request)/i.test(subject);
  const isHeld = /awaits (moderator|your) approval|is being held|posting is held|(post|message) to .{1,80} (rejected|held|requires)/i.test(
    subject,
  );
  return (
    isHeld ||
    (isManager && (isConfirmation || /^(welcome to|results of your|request to|command(s)? results|goodbye|unsubscribe)/i.test(subject)))
  );
}

/** Answers to invitations and invitations themselves (RFC 5546). */
function isCalendar(mail: Mail): boolean {
  const part = mail.parts.find(({ type }) => type === 'text/calendar');
  if (part !== undefined && /^METHOD:\s?(REPLY|REQUEST|CANCEL|COUNTER|PUBLISH)/im.test(part.text)) return true;
  return /method=(reply|request|cancel)/i.test(field(mail, 'content-type'));
}

const isRobotAddress = (address: string) =>
  /^(no-?reply|do-?not-?reply|notifications?|bugzilla|bugs?|jira|robot|bot|automat\w*|alerts?|daemon|owner|cron|root|nobody|calendar-notification)([-+._].*)?$|[-._](no-?reply|bot|daemon)$/.test(
    localPartOf(address),
  );

/** What stands in mail to many, and in no answer: how to get no more of it. */
const BULK_TEXT =
  /(to|you (may|can)|if you (would like|wish|want|prefer|no longer|do not)( \S+){0,6}) (unsubscribe|opt[ -]?out|be removed|be taken off|remove yourself|stop receiving|(no longer )?receive)|(click|reply|visit|go to|e-?mail|send)( \S+){0,12} (to (be )?(remov|unsubscrib|opt)|with .{0,3}(remove|unsubscribe))|(you (are|have been|were)|this (e-?mail|message|newsletter) (is|was|has been)) (receiv\w+|sent|subscrib\w+)( \S+){0,8} (because|as (a|part)|subscri|opt)|(manage|update|change) your (subscription|e-?mail preferences|profile)|unsubscribe( \S+){0,3} (here|below|link|instructions|information)|(newsletter|mailing) (abbestellen|abmelden)|se d[ée]sabonner|darse de baja|cancelar su suscripci|disiscriv|uitschrijven|отписаться|退订|配信停止/i;

/** Why a mail was written to many, or to nobody in particular: no answer to anybody. Null if it may be a person's. */
export function bulkReason(mail: Mail, { hasQuote }: QuoteParts): string | null {
  if (
    /^yes/i.test(field(mail, 'x-spam-flag')) ||
    /^yes/i.test(field(mail, 'x-spam-status')) ||
    /^fail/i.test(field(mail, 'x-ses-spam-verdict'))
  )
    return 'marked as spam';
  if (field(mail, 'in-reply-to') !== '' || fieldValues(mail, 'references').length > 0 || hasQuote) return null;
  if (fieldValues(mail, 'list-id').length === 0 && BULK_TEXT.test(mail.text.slice(0, 50_000))) return 'says how to get no more of it';
  if (isAnswerSubject(mail.subject)) return null;
  if (fieldValues(mail, 'list-unsubscribe-post').length > 0 || fieldValues(mail, 'feedback-id').length > 0) return 'bulk mail';
  const isNewsletter = fieldValues(mail, 'list-unsubscribe').length > 0 && fieldValues(mail, 'list-post').length === 0;
  const isBulk = /^(bulk|list|junk)/i.test(field(mail, 'precedence')) && fieldValues(mail, 'list-id').length === 0;
  if (isNewsletter || isBulk) return 'bulk mail';
  if (mail.from !== null && isRobotAddress(mail.from.address)) return 'from an address that takes no mail';
  if (/^(auto-generated|auto-notified)/i.test(field(mail, 'auto-submitted'))) return 'sent by a program';
  return null;
}
