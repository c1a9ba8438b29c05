import { domainOf, localPartOf } from './addresses.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { type DsnRecipient, deliveryStatus } from './dsn.ts';
import { field, fieldValues, type Mail, mailboxes } from './message.ts';
import { DELAY_SENTENCES, DELAY_SUBJECTS, FINAL_SENTENCES } from './phrases/delayed-delivery.ts';
import { FAILURE_SENTENCES } from './phrases/failed-delivery.ts';
import { FAILURE_SUBJECTS } from './phrases/failed-delivery-subjects.ts';
import { DAEMON_LOCAL_PARTS, DAEMON_NAMES } from './phrases/senders.ts';
import { type NamedRecipient, namedRecipient } from './recipients.ts';
import { isReturnedPart, type Returned } from './returned.ts';
import { isAnswerSubject, plainSubject } from './subject.ts';

/** What a mail server says became of a mail. */
export interface DeliveryNotice {
  outcome: 'failed' | 'delayed' | 'delivered';
  recipient: string | null;
  /** Every recipient of which the notice says the same. */
  recipients: string[];
  diagnosis: Diagnosis;
  reasons: string[];
}

const MAX_NOTICE = 12_000;

/** Exchange writes from MicrosoftExchange and the hexadecimal id of the organization; the local part may have an extension. */
const DAEMON_ADDRESS = new RegExp(`^(?:${DAEMON_LOCAL_PARTS.pattern}|microsoftexchange[0-9a-f]{10,})(?:[+._-].*)?$`, 'iu');

/** Whether the sender presents itself as a mail server. */
export function isFromDaemon(mail: Mail): boolean {
  if (mail.from === null) return /^<?>?$|mailer-daemon/i.test(field(mail, 'from')) || DAEMON_NAMES.matches(field(mail, 'from'));
  return DAEMON_ADDRESS.test(localPartOf(mail.from.address)) || DAEMON_NAMES.matches(mail.from.name);
}

/** Sent with the empty envelope sender, as RFC 3464 §2 and RFC 3834 §3.3 demand of what must not be answered. */
export const hasNullSender = (mail: Mail): boolean => /^<(mailer-daemon(@.*)?)?>$/i.test(field(mail, 'return-path'));

/** Reads a notice about delivery: a delivery status where there is one, else the words. Null for anything else. */
export function deliveryNotice(mail: Mail, returned: Returned): DeliveryNotice | null {
  const isDaemon = isFromDaemon(mail) || hasNullSender(mail);
  // People answer and pass on bounces.
  if (isAnswerSubject(mail.subject) && !isDaemon) return null;
  return fromStatus(mail, returned) ?? fromWords(mail, returned);
}

function fromStatus(mail: Mail, returned: Returned): DeliveryNotice | null {
  const recipients = deliveryStatus(mail);
  const chosen = chosenOutcome(recipients, mail);
  if (chosen === null) return null;
  const { outcome, group } = chosen;
  const notice = mail.text.slice(0, Math.min(returned.textEnd, MAX_NOTICE));
  const first = group.find(({ final, original }) => (final ?? original) !== null) ?? (group[0] as DsnRecipient);
  const words = `${first.diagnostic}\n${notice}`;
  let diagnosis = diagnose(first.diagnostic, first.status);
  if (diagnosis.rule.endsWith('without a rule')) {
    const fromText = diagnose(words, first.status);
    if (!fromText.rule.endsWith('without a rule')) diagnosis = { ...fromText, status: diagnosis.status ?? fromText.status };
  }
  const recipient = addressOf(first) ?? namedRecipient(mail, notice, returned)?.address ?? returned.to;
  return {
    outcome,
    recipient,
    recipients: group.flatMap((each) => addressOf(each) ?? []),
    diagnosis,
    reasons: [`delivery status: ${outcome}${first.status === null ? '' : ` ${first.status}`}`],
  };
}

/** The address that failed. One inside of the other's network (`user@internal-host`) says less than the one that was written to. */
function addressOf({ final, original }: DsnRecipient): string | null {
  if (final === null || original === null) return final ?? original;
  const [inner, outer] = [domainOf(final), domainOf(original)];
  return !inner.includes('.') || inner.endsWith(`.${outer}`) ? original : final;
}

/** The worst that a delivery status reports, and for whom. A recipient without an action is judged by its status. */
function chosenOutcome(
  recipients: readonly DsnRecipient[],
  mail: Mail,
): { outcome: DeliveryNotice['outcome']; group: DsnRecipient[] } | null {
  if (recipients.length === 0) return null;
  const failed = recipients.filter(({ action, status }) => action === 'failed' || (action === null && status?.startsWith('5')));
  if (failed.length > 0) return { outcome: 'failed', group: failed };
  const isUndecided = ({ action, status }: DsnRecipient) => action === null && !status?.startsWith('2');
  const undecided = recipients.filter(isUndecided);
  if (undecided.length > 0) return { outcome: isDelayed(mail, mail.text) ? 'delayed' : 'failed', group: undecided };
  const delayed = recipients.filter(({ action }) => action === 'delayed');
  if (delayed.length > 0) return { outcome: 'delayed', group: delayed };
  return { outcome: 'delivered', group: [...recipients] };
}

/** The words of a server that sends no delivery status; it takes several signs, because people write such words too. */
function fromWords(mail: Mail, returned: Returned): DeliveryNotice | null {
  const notice = mail.text.slice(0, Math.min(returned.textEnd, MAX_NOTICE));
  const signs = signsOf(mail, notice, returned);
  const weight = signs.reduce((sum, [points]) => sum + points, 0);
  if (weight < WEIGHT - 1) return null;
  const named = failedRecipientsField(mail, notice) ?? namedRecipient(mail, notice, returned);
  // Who wants to be believed a server without having returned anything names no recipient.
  if (weight + standing(named, mail, returned) < WEIGHT) return null;
  const outcome = isDelayed(mail, notice) ? 'delayed' : 'failed';
  let diagnosis = diagnose(named?.reason ?? notice, null);
  if (diagnosis.rule.endsWith('without a rule')) diagnosis = diagnose(`${mail.subject}\n${notice}\n${answerBelow(mail, returned)}`, null);
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

/** Some servers put what they were answered below the line that announces the returned mail. */
const answerBelow = (mail: Mail, returned: Returned): string =>
  /^.*\n\s*([45]\d\d[ -].{1,500})/.exec(mail.text.slice(returned.textEnd, returned.textEnd + 800))?.[1] ?? '';

/** Points that make a notice. */
const WEIGHT = 5;

function standing(named: NamedRecipient | null, mail: Mail, returned: Returned): number {
  if (named !== null) return named.isCertain ? 1 : 0;
  return returned.isShown || returned.isAnnounced || hasNullSender(mail) ? 0 : -2;
}

/** What speaks for a notice of a mail server, and what against it. */
function signsOf(mail: Mail, notice: string, returned: Returned): [number, string][] {
  const isReport = /report-type="?delivery-status/i.test(field(mail, 'content-type'));
  const isReturned = returned.isShown || returned.isAnnounced || mail.parts.some(({ type }) => isReturnedPart(type));
  const saysFailure = FAILURE_SENTENCES.matches(notice) || DELAY_SENTENCES.matches(notice);
  const subject = plainSubject(mail.subject);
  // A server's own tag may be all that says it: "[系统退信] Hello".
  const saysSubject =
    [subject, mail.subject].some((text) => FAILURE_SUBJECTS.matches(text)) || (DELAY_SUBJECTS.matches(subject) && saysFailure);
  const candidates: [boolean, number, string][] = [
    [fieldValues(mail, 'x-failed-recipients').length > 0, 4, 'X-Failed-Recipients'],
    [isReport, 3, 'report of delivery status'],
    [isFromDaemon(mail), 2, 'sent by a mail server'],
    [hasNullSender(mail), 1, 'empty envelope sender'],
    [saysSubject, 2, 'subject of a failed delivery'],
    [saysFailure, 2, 'words of a failed delivery'],
    [isReturned && (saysFailure || saysSubject), 1, 'returns a mail'],
    [/^auto-(replied|generated|notified)/i.test(field(mail, 'auto-submitted')) && saysFailure, 1, 'sent by a program'],
    [isAnswerSubject(mail.subject), -3, 'subject of an answer'],
    [!saysFailure && !saysSubject, -4, 'says nothing of a failure'],
  ];
  return candidates.filter(([holds]) => holds).map(([, points, sign]) => [points, sign]);
}

/** Exim and Gmail name the failed recipients in a field of the header. */
function failedRecipientsField(mail: Mail, notice: string): NamedRecipient | null {
  const address = fieldValues(mail, 'x-failed-recipients').flatMap(mailboxes)[0]?.address;
  if (address === undefined || !address.includes('@')) return null;
  const at = Math.max(0, notice.toLowerCase().indexOf(address.toLowerCase()));
  return { address, reason: notice.slice(at, at + 1_500), layout: 'X-Failed-Recipients', isCertain: true };
}

const isDelayed = (mail: Mail, notice: string) =>
  (DELAY_SENTENCES.matches(notice) || /\(delay\)|delayed|warning/i.test(mail.subject)) &&
  DELAY_SENTENCES.matches(`${mail.subject}\n${notice}`) &&
  !FINAL_SENTENCES.matches(notice);
