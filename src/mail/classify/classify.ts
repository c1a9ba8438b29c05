import type { ReplyClass } from '../replies/reply.ts';
import { autoReplyReason } from './auto-reply.ts';
import { automaticReason, bulkReason, challengeReason, isFilterNotice } from './automatic.ts';
import { type DeliveryNotice, deliveryNotice } from './bounce.ts';
import { feedbackReport } from './feedback.ts';
import { isFromDaemon } from './mail-server.ts';
import { field, fieldValues, type InboundMessage } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { LEFT_COMPANY } from './phrases/left-company.ts';
import { REMOVAL_BUTTONS } from './phrases/programs.ts';
import { type QuoteParts, splitQuote } from './quote.ts';
import { returnDate } from './return-date.ts';
import { type ReturnedEmail, type ReturnedHeader, returnedEmail } from './returned-email.ts';
import type { SentEmail } from './sent-email.ts';
import { sesNotification } from './ses-notification.ts';
import { isAnswerSubject } from './subject.ts';
import { removalRequest, removalToken } from './unsubscribe.ts';

export const VERDICTS = [
  'reply',
  'auto_reply',
  'unsubscribe_request',
  'hard_bounce',
  'soft_bounce',
  'delay',
  'feedback_report',
  'other',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Classification of one inbound message. */
export interface Classification {
  /** `reply` means that a person wrote it; `inbound/match.ts` decides whether it answers one of our emails. */
  verdict: Verdict;
  /** Address that a bounce, delay or complaint is about; null if it is not named. */
  recipient: string | null;
  /** True if a delivery notice itself names the recipient, and does not just return the email. */
  isRecipientNamed: boolean;
  /** RFC 3463 status of a bounce or delay, such as `5.1.1`; null if there is none. */
  status: string | null;
  /** Cause of a bounce; null for everything else. */
  cause: ReplyClass | null;
  /** True for a feedback report about a complaint. */
  isComplaint: boolean;
  /** Day on which the author of an absence notice is back, `YYYY-MM-DD`; null if it is not named. */
  until: string | null;
  /** True if a message from a person may be an opt-out, which a user should decide. */
  mayAskToBeRemoved: boolean;
  /** True if the author says that someone no longer works for the company. */
  hasLeft: boolean;
  /** The reasons for the verdict, in words for display. */
  reasons: string[];
  /** Message-IDs, with angle brackets, of the emails that it answers or returns, the most specific first. */
  originalMessageIds: string[];
  /** X-Entity-Ref-ID values in the header of a returned email. */
  references: string[];
  /** X-Entity-Ref-ID in the subject of a message that was sent to the List-Unsubscribe address of that email; otherwise null. */
  token: string | null;
  /** Values of Thread-Index, by which Outlook and Exchange group a conversation. */
  threadIndexes: readonly string[];
  /** From, To, Subject and Date of the returned email; null if its header is missing or incomplete. */
  returnedHeader: ReturnedHeader | null;
  /** The author's own words, without quotations and signature; the whole text if nothing else is left. */
  ownText: string;
}

/** Characters searched for what the author says. Text below that often discusses other things. */
const MAX_OPENING = 1_000;

/** Parses and classifies a raw message (RFC 5322). Never throws. @param sent the email that it answers, if known */
export async function classifyRaw(
  raw: Uint8Array,
  sent: SentEmail | null = null,
): Promise<{ message: InboundMessage; result: Classification }> {
  const message = await parseMessage(raw);
  return { message, result: classifyMessage(message, sent) };
}

/**
 * Classifies a message: first as a report of a mail server, then as the message of a program, then as that of a person. Text that repeats
 * our email is removed before any phrase is searched for. Proof that the message answers our email outweighs weaker signs: spam marks, list
 * footers, calendar parts. Pure.
 */
export function classifyMessage(message: InboundMessage, sent: SentEmail | null = null): Classification {
  const [first] = verdictsOn(message, sent);
  return first as Classification;
}

/**
 * Yields every verdict that the message shows signs of, the strongest first. The first one counts; the others explain the classification.
 */
export function* verdictsOn(message: InboundMessage, sent: SentEmail | null): Generator<Classification, void> {
  const returned = returnedEmail(message);
  const parts = splitQuote(message, sent);
  const ses = sesNotification(message);
  const isProved = sent?.isProved === true;
  const base = {
    recipient: null,
    isRecipientNamed: false,
    status: null,
    cause: null,
    isComplaint: false,
    until: null,
    mayAskToBeRemoved: false,
    // An author who names a day of return is talking about somebody else who left.
    hasLeft: LEFT_COMPANY.matches(parts.own.slice(0, MAX_OPENING)) && dayOfReturn(message, parts) === null,
    originalMessageIds: [...(ses?.messageIds ?? []), ...returned.messageIds],
    references: [...(ses?.references ?? []), ...returned.references],
    token: null,
    threadIndexes: fieldValues(message, 'thread-index'),
    returnedHeader: returned.header,
    ownText: parts.shown,
  };

  const feedback = ses?.feedback ?? feedbackReport(message, returned);
  if (feedback !== null) yield { ...base, verdict: 'feedback_report', ...feedback };
  const notice = ses?.notice ?? deliveryNotice(message, returned);
  if (notice !== null && !isFilterNotice(message)) yield { ...base, ...ofNotice(notice, returned) };

  const answer = (verdict: Verdict, reason: string) => ({ ...base, verdict, reasons: [reason] });
  // Email clients and providers send it when a button is clicked, some of them marked as an automatic message.
  const token = removalToken(message);
  if (token !== null) yield { ...answer('unsubscribe_request', 'sent to the address in List-Unsubscribe'), token };
  if (REMOVAL_BUTTONS.matches(parts.own.slice(0, MAX_OPENING).trimStart()))
    yield answer('unsubscribe_request', 'sent by a button to unsubscribe');
  const automatic = automaticReason(message, isProved);
  if (automatic !== null) yield answer('other', automatic);
  const challenge = challengeReason(message, parts);
  // A filter holds our email. The sender should know, and the sequence should not go on.
  if (challenge !== null) yield answer(isProved ? 'auto_reply' : 'other', challenge);
  if (
    isFromDaemon(message) &&
    message.from !== null &&
    !isAnswerSubject(message.subject) &&
    /^auto-/i.test(field(message, 'auto-submitted'))
  )
    yield answer('other', 'notice of a mail server');
  const autoReply = autoReplyReason(message, parts);
  if (autoReply !== null) {
    yield { ...answer('auto_reply', autoReply), until: dayOfReturn(message, parts) };
  }
  const bulk = isProved ? null : bulkReason(message, parts);
  const request = removalRequest(message, parts.own, bulk !== null);
  if (request?.certainty === 'certain') yield answer('unsubscribe_request', request.reason);
  if (bulk !== null) yield answer('other', bulk);
  const reply = answer('reply', message.isBroken ? 'no sign of a program, but it could not be parsed completely' : 'no sign of a program');
  yield request === null ? reply : { ...reply, mayAskToBeRemoved: true, reasons: [...reply.reasons, request.reason] };
}

const dayOfReturn = ({ subject, date }: InboundMessage, { own }: QuoteParts): string | null => returnDate(`${subject}\n${own}`, date);

function ofNotice(
  notice: DeliveryNotice,
  returned: ReturnedEmail,
): Pick<Classification, 'verdict' | 'recipient' | 'isRecipientNamed' | 'status' | 'cause' | 'reasons'> {
  const { outcome, diagnosis, reasons, isRecipientNamed } = notice;
  const recipient = notice.recipient ?? returned.to;
  if (outcome === 'delivered') return { verdict: 'other', recipient, isRecipientNamed, status: diagnosis.status, cause: null, reasons };
  if (outcome === 'delayed') return { verdict: 'delay', recipient, isRecipientNamed, status: diagnosis.status, cause: null, reasons };
  return {
    verdict: diagnosis.isHard ? 'hard_bounce' : 'soft_bounce',
    recipient,
    isRecipientNamed,
    status: diagnosis.status,
    cause: diagnosis.class,
    reasons: [...reasons, `${diagnosis.class}: ${diagnosis.rule}`],
  };
}
