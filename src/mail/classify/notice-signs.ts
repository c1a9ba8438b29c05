import { diagnose } from './diagnose.ts';
import { hasNullSender, isDeliveryReport, isFromDaemon, isFromMailerDaemon } from './mail-server.ts';
import { field, fieldValues, type InboundMessage } from './message.ts';
import { ABSENCE_SENTENCES } from './phrases/absence-sentences.ts';
import { DELAY_SENTENCES, DELAY_SUBJECTS, KEEPS_TRYING } from './phrases/delayed-delivery.ts';
import { FAILURE_SENTENCES } from './phrases/failed-delivery.ts';
import { FAILURE_SUBJECTS } from './phrases/failed-delivery-subjects.ts';
import { FOREIGN_FAILURE_SUBJECTS } from './phrases/foreign-failure-subjects.ts';
import { FOREIGN_FAILURE_SENTENCES } from './phrases/foreign-failures.ts';
import { SERVER_VOICE } from './phrases/server-voice.ts';
import { quotesServerReply } from './quoted-reply.ts';
import { isReturnedPart, type ReturnedEmail } from './returned-email.ts';
import { isAnswerSubject, plainSubject } from './subject.ts';

/** A sign for or against a mail server's notice: its points, and a description for display. */
export type Sign = readonly [points: number, words: string];

/** Most letters before the notice itself. A person who quotes a notice writes more above it. */
const MAX_GREETING = 40;
/** A notice without an envelope sign must begin within this many characters. A greeting is far shorter. */
const MAX_OPENING = 1_000;
const MAX_QUESTION = 3_000;
const MAX_ABSENCE = 600;

/**
 * Returns the signs of a mail server's notice. Empty if the envelope, the header and the first words have none, because people also write
 * about failed deliveries.
 * @param notice the text above the returned email
 */
export function noticeSigns(message: InboundMessage, notice: string, returned: ReturnedEmail): Sign[] {
  const subject = plainSubject(message.subject);
  const ofEnvelope = envelopeSigns(message);
  const isAnonymous = ofEnvelope.length === 0;
  // First, because it is cheaper than a search for phrases of every language.
  if (isAnonymous && isPersonal(message, notice)) return [];
  const isFailureSubject = [...new Set([subject, message.subject])].some(
    (text) => FAILURE_SUBJECTS.matches(text) || FOREIGN_FAILURE_SUBJECTS.matches(text),
  );
  const isDelaySubject = !isFailureSubject && DELAY_SUBJECTS.matches(subject);
  const voiceAt = SERVER_VOICE.indexIn(isAnonymous ? notice.slice(0, MAX_OPENING) : notice);
  const speaks = voiceAt >= 0 && (!isAnonymous || notice.slice(0, voiceAt).replaceAll(/[^\p{L}]/gu, '').length <= MAX_GREETING);
  if (isAnonymous && !isFailureSubject && !isDelaySubject && !speaks) return [];

  const saysFailure =
    [FAILURE_SENTENCES, FOREIGN_FAILURE_SENTENCES, DELAY_SENTENCES, KEEPS_TRYING].some((table) => table.matches(notice)) ||
    (isFromDaemon(message) && namesReason(notice));
  // A tag may be the only sign: "[系统退信] Hello".
  const saysSubject = isFailureSubject || (isDelaySubject && saysFailure);
  const quotesReply = (!isAnonymous || speaks) && quotesServerReply(notice);
  const isReturned = returned.isShown || returned.isAnnounced || message.parts.some(({ type }) => isReturnedPart(type));
  const isAutomatic = /^auto-(replied|generated|notified)/i.test(field(message, 'auto-submitted'));
  const isAbsence = !isAutomatic && hasNullSender(message) && ABSENCE_SENTENCES.matches(notice.slice(0, MAX_ABSENCE));
  const candidates: [boolean, number, string][] = [
    [saysSubject, 2, 'subject of a failed delivery'],
    [saysFailure, 2, 'words of a failed delivery'],
    [speaks, 2, 'speaks as a mail server'],
    [quotesReply, 1, "quotes a server's reply"],
    [isReturned && (saysFailure || saysSubject), 1, 'returns the email'],
    [isAutomatic && saysFailure, 1, 'sent by a program'],
    [isAbsence, -1, 'words of an absence'],
    [isAnswerSubject(message.subject) && !(isFromDaemon(message) && speaks), -3, 'subject of an answer'],
    [!saysFailure && !saysSubject && !(speaks && quotesReply), isForeignDaemon(message, notice) ? 1 : -4, 'no known words of a failure'],
  ];
  return [...ofEnvelope, ...candidates.flatMap(([holds, points, words]): Sign[] => (holds ? [[points, words]] : []))];
}

/**
 * True for a notice of MAILER-DAEMON in a language other than English. It reports little but failures, and may use words that we do not
 * know.
 */
const isForeignDaemon = (message: InboundMessage, notice: string): boolean =>
  isFromMailerDaemon(message) && notice !== '' && !/\b(?:has|is|of|the|this|was|your)\b/i.test(notice.slice(0, MAX_QUESTION));

/** True if a notice gives a reason that applies only to recipients. */
function namesReason(notice: string): boolean {
  const { class: cause, isKnown } = diagnose(notice, null);
  return isKnown && notice.includes('@') && (cause === 'hard' || cause === 'soft');
}

/** True if a person may have written the notice: it asks a question, or ends with the sender's name. */
function isPersonal(message: InboundMessage, notice: string): boolean {
  const name = message.from?.name.split(/[\s,]+/)[0] ?? '';
  const lastLines = notice.trimEnd().split('\n').slice(-3);
  return /[?？][ \t]*$/m.test(notice.slice(0, MAX_QUESTION)) || (name !== '' && lastLines.some((line) => line.trim().startsWith(name)));
}

/** Returns the signs that messages from people do not have. */
function envelopeSigns(message: InboundMessage): Sign[] {
  const isReplied = /^auto-replied/i.test(field(message, 'auto-submitted'));
  const candidates: [boolean, number, string][] = [
    [fieldValues(message, 'x-failed-recipients').length > 0, 4, 'X-Failed-Recipients'],
    [isDeliveryReport(message), 3, 'delivery status report'],
    [isFromDaemon(message), 2, 'sent by a mail server'],
    [hasNullSender(message), isReplied ? 1 : 2, 'empty envelope sender'],
  ];
  return candidates.flatMap(([holds, points, words]): Sign[] => (holds ? [[points, words]] : []));
}
