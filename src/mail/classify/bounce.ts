import { domainOf } from '../../core/email-address.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { type DsnRecipient, deliveryStatus } from './dsn.ts';
import { hasNullSender, isFromDaemon } from './mail-server.ts';
import { fieldValues, type InboundMessage, namedAddresses } from './message.ts';
import { noticeSigns } from './notice-signs.ts';
import { isLastDelay, outcomeInWords } from './outcome.ts';
import { type NamedRecipient, namedRecipient } from './recipients.ts';
import type { ReturnedEmail } from './returned-email.ts';
import { isAnswerSubject } from './subject.ts';

/** A mail server's notice about the delivery of one of our emails. */
export interface DeliveryNotice {
  outcome: 'failed' | 'delayed' | 'delivered';
  /** Null if neither the notice nor the returned email names one. */
  recipient: string | null;
  /** True if the notice itself names the recipient, and not just the email that it returns. */
  isRecipientNamed: boolean;
  /** Every recipient with the same outcome. */
  recipients: string[];
  diagnosis: Diagnosis;
  reasons: string[];
}

const MAX_NOTICE = 12_000;

/** Reads a delivery notice: its delivery status if it has one, otherwise its text. Null for any other message. */
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
  const address = addressOf(first);
  const named = address === null ? namedRecipient(message, notice, returned) : null;
  return {
    outcome,
    recipient: address ?? named?.address ?? returned.to,
    isRecipientNamed: address !== null || isNamed(named),
    recipients: group.flatMap((each) => addressOf(each) ?? []),
    diagnosis,
    reasons: [`delivery status: ${outcome}${first.status === null ? '' : ` ${first.status}`}`],
  };
}

/** Returns the address that failed: the original one if the final one is inside the receiver's network (`user@internal-host`). */
function addressOf({ final, original }: DsnRecipient): string | null {
  if (final === null || original === null) return final ?? original;
  const [inner, outer] = [domainOf(final), domainOf(original)];
  return !inner.includes('.') || inner.endsWith(`.${outer}`) ? original : final;
}

/** Returns the worst outcome in a delivery status, with its recipients. The status decides for a recipient without an action. */
function chosenOutcome(
  recipients: readonly DsnRecipient[],
  message: InboundMessage,
): { outcome: DeliveryNotice['outcome']; group: DsnRecipient[] } | null {
  if (recipients.length === 0) return null;
  const failed = recipients.filter(({ action, status }) => action === 'failed' || (action === null && status?.startsWith('5')));
  if (failed.length > 0) return { outcome: 'failed', group: failed };
  const isUndecided = ({ action, status }: DsnRecipient) => action === null && !status?.startsWith('2');
  const undecided = recipients.filter(isUndecided);
  if (undecided.length > 0) return { outcome: outcomeInWords(message, message.text), group: undecided };
  const delayed = recipients.filter(({ action }) => action === 'delayed');
  if (delayed.length > 0) {
    const words = [message.text.slice(0, MAX_NOTICE), ...delayed.map(({ diagnostic }) => diagnostic)].join('\n\n');
    return { outcome: isLastDelay(words) ? 'failed' : 'delayed', group: delayed };
  }
  return { outcome: 'delivered', group: [...recipients] };
}

/** Reads a notice without a delivery status. One sign is not enough, because people use the same words. */
function fromWords(message: InboundMessage, returned: ReturnedEmail): DeliveryNotice | null {
  const notice = message.text.slice(0, Math.min(returned.textEnd, MAX_NOTICE));
  const signs = noticeSigns(message, notice, returned);
  const score = signs.reduce((sum, [points]) => sum + points, 0);
  if (score < NOTICE_SCORE - 1) return null;
  const named = failedRecipientsField(message, notice) ?? namedRecipient(message, notice, returned);
  // A notice that returns nothing must name a recipient.
  if (score + certainty(named, message, returned) < NOTICE_SCORE) return null;
  const outcome = outcomeInWords(message, notice);
  let diagnosis = diagnose(named?.reason ?? notice, null);
  if (!diagnosis.isKnown) diagnosis = diagnose(`${message.subject}\n${notice}\n${replyBelow(message, returned)}`, null);
  return {
    outcome,
    recipient: named?.address ?? null,
    isRecipientNamed: isNamed(named),
    recipients: named === null ? [] : [named.address],
    diagnosis,
    reasons: [
      ...signs.filter(([points]) => points > 0).map(([, sign]) => sign),
      ...(named === null ? [] : [`recipient by ${named.layout}`]),
    ],
  };
}

const isNamed = (named: NamedRecipient | null): boolean => named !== null && !named.isReturned;

/** Returns the remote server's reply, which some servers quote below the line that introduces the returned email. */
const replyBelow = (message: InboundMessage, returned: ReturnedEmail): string =>
  /^.*\n\s*([45]\d\d[ -].{1,500})/.exec(message.text.slice(returned.textEnd, returned.textEnd + 800))?.[1] ?? '';

/** The lowest score of a notice. */
const NOTICE_SCORE = 5;

function certainty(named: NamedRecipient | null, message: InboundMessage, returned: ReturnedEmail): number {
  if (named !== null) return named.isCertain ? 1 : 0;
  return returned.isShown || returned.isAnnounced || hasNullSender(message) ? 0 : -3;
}

/** Returns the first recipient in X-Failed-Recipients, a field of Exim and Gmail. */
function failedRecipientsField(message: InboundMessage, notice: string): NamedRecipient | null {
  const address = fieldValues(message, 'x-failed-recipients').flatMap(namedAddresses)[0]?.address;
  if (address === undefined || !address.includes('@')) return null;
  const at = Math.max(0, notice.toLowerCase().indexOf(address.toLowerCase()));
  return { address, reason: notice.slice(at, at + 1_500), layout: 'X-Failed-Recipients', isCertain: true };
}
