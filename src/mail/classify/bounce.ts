import { domainOf, localPartOf } from './addresses.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { type DsnRecipient, deliveryStatus } from './dsn.ts';
import { field, fieldValues, type InboundMessage, namedAddresses } from './message.ts';
import { DELAY_SENTENCES, DELAY_SUBJECTS, FINAL_SENTENCES } from './phrases/delayed-delivery.ts';
import { FAILURE_SENTENCES } from './phrases/failed-delivery.ts';
import { FAILURE_SUBJECTS } from './phrases/failed-delivery-subjects.ts';
import { DAEMON_LOCAL_PARTS, DAEMON_NAMES } from './phrases/senders.ts';
import { type NamedRecipient, namedRecipient } from './recipients.ts';
import { isReturnedPart, type ReturnedEmail } from './returned-email.ts';
import { isAnswerSubject, plainSubject } from './subject.ts';

/** A mail server's notice about the delivery of one of our emails. */
export interface DeliveryNotice {
  outcome: 'failed' | 'delayed' | 'delivered';
  /** Null where the notice names none. */
  recipient: string | null;
  /** Every recipient with the same outcome. */
  recipients: string[];
  diagnosis: Diagnosis;
  reasons: string[];
}

const MAX_NOTICE = 12_000;

/** Exchange writes from MicrosoftExchange and the hexadecimal id of the organization; the local part may have an extension. */
const DAEMON_ADDRESS = new RegExp(`^(?:${DAEMON_LOCAL_PARTS.pattern}|microsoftexchange[0-9a-f]{10,})(?:[+._-].*)?$`, 'iu');

/** True when the sender's address or name is that of a mail server. */
export function isFromDaemon(message: InboundMessage): boolean {
  if (message.from === null) return /^<?>?$|mailer-daemon/i.test(field(message, 'from')) || DAEMON_NAMES.matches(field(message, 'from'));
  return DAEMON_ADDRESS.test(localPartOf(message.from.address)) || DAEMON_NAMES.matches(message.from.name);
}

/** True for an empty envelope sender, which RFC 3464 §2 and RFC 3834 §3.3 demand of messages that must not be answered. */
export const hasNullSender = (message: InboundMessage): boolean => /^<(mailer-daemon(@.*)?)?>$/i.test(field(message, 'return-path'));

/** Reads a notice about delivery, by its delivery status where it has one, else by its words. Null for any other message. */
export function deliveryNotice(message: InboundMessage, returned: ReturnedEmail): DeliveryNotice | null {
  const isDaemon = isFromDaemon(message) || hasNullSender(message);
  // People answer and forward bounces.
  if (isAnswerSubject(message.subject) && !isDaemon) return null;
  return fromStatus(message, returned) ?? fromWords(message, returned);
}

function fromStatus(message: InboundMessage, returned: ReturnedEmail): DeliveryNotice | null {
  const recipients = deliveryStatus(message);
  const chosen = chosenOutcome(recipients, message);
  if (chosen === null) return null;
  const { outcome, group } = chosen;
  const notice = message.text.slice(0, Math.min(returned.textEnd, MAX_NOTICE));
  const first = group.find(({ final, original }) => (final ?? original) !== null) ?? (group[0] as DsnRecipient);
  const words = `${first.diagnostic}\n${notice}`;
  let diagnosis = diagnose(first.diagnostic, first.status);
  if (!diagnosis.isKnown) {
    const fromText = diagnose(words, first.status);
    if (fromText.isKnown) diagnosis = { ...fromText, status: diagnosis.status ?? fromText.status };
  }
  const recipient = addressOf(first) ?? namedRecipient(message, notice, returned)?.address ?? returned.to;
  return {
    outcome,
    recipient,
    recipients: group.flatMap((each) => addressOf(each) ?? []),
    diagnosis,
    reasons: [`delivery status: ${outcome}${first.status === null ? '' : ` ${first.status}`}`],
  };
}

/** The address that failed; the original one where the final one is inside the receiver's network (`user@internal-host`). */
function addressOf({ final, original }: DsnRecipient): string | null {
  if (final === null || original === null) return final ?? original;
  const [inner, outer] = [domainOf(final), domainOf(original)];
  return !inner.includes('.') || inner.endsWith(`.${outer}`) ? original : final;
}

/** The worst outcome in a delivery status, and its recipients. A recipient without an action is judged by its status. */
function chosenOutcome(
  recipients: readonly DsnRecipient[],
  message: InboundMessage,
): { outcome: DeliveryNotice['outcome']; group: DsnRecipient[] } | null {
  if (recipients.length === 0) return null;
  const failed = recipients.filter(({ action, status }) => action === 'failed' || (action === null && status?.startsWith('5')));
  if (failed.length > 0) return { outcome: 'failed', group: failed };
  const isUndecided = ({ action, status }: DsnRecipient) => action === null && !status?.startsWith('2');
  const undecided = recipients.filter(isUndecided);
  if (undecided.length > 0) return { outcome: isDelayed(message, message.text) ? 'delayed' : 'failed', group: undecided };
  const delayed = recipients.filter(({ action }) => action === 'delayed');
  if (delayed.length > 0) return { outcome: 'delayed', group: delayed };
  return { outcome: 'delivered', group: [...recipients] };
}

/** Reads a notice without a delivery status. It takes several signs, because people write the same words. */
function fromWords(message: InboundMessage, returned: ReturnedEmail): DeliveryNotice | null {
  const notice = message.text.slice(0, Math.min(returned.textEnd, MAX_NOTICE));
  const signs = signsOf(message, notice, returned);
  const weight = signs.reduce((sum, [points]) => sum + points, 0);
  if (weight < WEIGHT - 1) return null;
  const named = failedRecipientsField(message, notice) ?? namedRecipient(message, notice, returned);
  // A notice that returns nothing must name a recipient.
  if (weight + certainty(named, message, returned) < WEIGHT) return null;
  const outcome = isDelayed(message, notice) ? 'delayed' : 'failed';
  let diagnosis = diagnose(named?.reason ?? notice, null);
  if (!diagnosis.isKnown) diagnosis = diagnose(`${message.subject}\n${notice}\n${answerBelow(message, returned)}`, null);
  return {
    outcome,
    recipient: named?.address ?? null,
    recipients: named === null ? [] : [named.address],
    diagnosis,
    reasons: [
      ...signs.filter(([points]) => points > 0).map(([, sign]) => sign),
      ...(named === null ? [] : [`recipient by ${named.layout}`]),
    ],
  };
}

/** The remote server's reply, which some servers put below the line that introduces the returned email. */
const answerBelow = (message: InboundMessage, returned: ReturnedEmail): string =>
  /^.*\n\s*([45]\d\d[ -].{1,500})/.exec(message.text.slice(returned.textEnd, returned.textEnd + 800))?.[1] ?? '';

/** Points from which a message is a notice. */
const WEIGHT = 5;

function certainty(named: NamedRecipient | null, message: InboundMessage, returned: ReturnedEmail): number {
  if (named !== null) return named.isCertain ? 1 : 0;
  return returned.isShown || returned.isAnnounced || hasNullSender(message) ? 0 : -2;
}

/** The signs of a mail server's notice, for and against, with their points. */
function signsOf(message: InboundMessage, notice: string, returned: ReturnedEmail): [number, string][] {
  const isReport = /report-type="?delivery-status/i.test(field(message, 'content-type'));
  const isReturned = returned.isShown || returned.isAnnounced || message.parts.some(({ type }) => isReturnedPart(type));
  const saysFailure = FAILURE_SENTENCES.matches(notice) || DELAY_SENTENCES.matches(notice);
  const subject = plainSubject(message.subject);
  // A tag may be the only sign: "[系统退信] Hello".
  const saysSubject =
    [subject, message.subject].some((text) => FAILURE_SUBJECTS.matches(text)) || (DELAY_SUBJECTS.matches(subject) && saysFailure);
  const candidates: [boolean, number, string][] = [
    [fieldValues(message, 'x-failed-recipients').length > 0, 4, 'X-Failed-Recipients'],
    [isReport, 3, 'delivery status report'],
    [isFromDaemon(message), 2, 'sent by a mail server'],
    [hasNullSender(message), 1, 'empty envelope sender'],
    [saysSubject, 2, 'subject of a failed delivery'],
    [saysFailure, 2, 'words of a failed delivery'],
    [isReturned && (saysFailure || saysSubject), 1, 'returns the email'],
    [/^auto-(replied|generated|notified)/i.test(field(message, 'auto-submitted')) && saysFailure, 1, 'sent by a program'],
    [isAnswerSubject(message.subject), -3, 'subject of an answer'],
    [!saysFailure && !saysSubject, -4, 'no words of a failure'],
  ];
  return candidates.filter(([holds]) => holds).map(([, points, sign]) => [points, sign]);
}

/** The first recipient in X-Failed-Recipients, a field of Exim and Gmail. */
function failedRecipientsField(message: InboundMessage, notice: string): NamedRecipient | null {
  const address = fieldValues(message, 'x-failed-recipients').flatMap(namedAddresses)[0]?.address;
  if (address === undefined || !address.includes('@')) return null;
  const at = Math.max(0, notice.toLowerCase().indexOf(address.toLowerCase()));
  return { address, reason: notice.slice(at, at + 1_500), layout: 'X-Failed-Recipients', isCertain: true };
}

const isDelayed = (message: InboundMessage, notice: string) =>
  (DELAY_SENTENCES.matches(notice) || /\(delay\)|delayed|warning/i.test(message.subject)) &&
  DELAY_SENTENCES.matches(`${message.subject}\n${notice}`) &&
  !FINAL_SENTENCES.matches(notice);
