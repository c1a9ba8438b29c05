import type { ReplyClass } from '../replies/reply.ts';
import { autoReplyReason } from './auto-reply.ts';
import { automaticReason, bulkReason, isFilterNotice } from './automatic.ts';
import { type DeliveryNotice, deliveryNotice } from './bounce.ts';
import { feedbackReport } from './feedback.ts';
import { isFromDaemon } from './mail-server.ts';
import { field, fieldValues, type InboundMessage } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { LEFT_COMPANY } from './phrases/left-company.ts';
import { splitQuote } from './quote.ts';
import { returnDate } from './return-date.ts';
import { type ReturnedEmail, type ReturnedHeader, returnedEmail } from './returned-email.ts';
import { isAnswerSubject } from './subject.ts';
import { removalToken, unsubscribeReason } from './unsubscribe.ts';

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
  /** Address that a bounce, delay or complaint is about; null where it is not named. */
  recipient: string | null;
  /** A notice about delivery names the recipient itself, and does not only return an email with it. */
  isRecipientNamed: boolean;
  /** RFC 3463 status of a bounce or delay, such as `5.1.1`; null where there is none. */
  status: string | null;
  /** Cause of a bounce; null for everything else. */
  cause: ReplyClass | null;
  /** True for a feedback report of a complaint. */
  isComplaint: boolean;
  /** Day on which the author of an absence notice is back, `YYYY-MM-DD`; null where it is not named. */
  until: string | null;
  /** True if the author says that someone no longer works for the company. */
  hasLeft: boolean;
  /** The reasons for the verdict, in words for a person. */
  reasons: string[];
  /** Message-IDs, with angle brackets, of the emails that it answers or returns, the most specific first. */
  originalMessageIds: string[];
  /** X-Outreach-Ref values in the header of a returned email. */
  references: string[];
  /** X-Outreach-Ref of the email whose List-Unsubscribe address the message was sent to, as its subject states it; else null. */
  token: string | null;
  /** Values of Thread-Index, by which Outlook and Exchange group a conversation. */
  threadIndexes: readonly string[];
  /** From, To, Subject and Date of the returned email; null where its header is missing or incomplete. */
  returnedHeader: ReturnedHeader | null;
  /** The author's own words, without quotations and signature. */
  ownText: string;
}

/** Longer texts discuss other things too. */
const MAX_OPENING = 1_000;

/** Parses and classifies a raw message (RFC 5322). Never throws. */
export async function classifyRaw(raw: Uint8Array): Promise<{ message: InboundMessage; result: Classification }> {
  const message = await parseMessage(raw);
  return { message, result: classifyMessage(message) };
}

/** Classifies a message: first what mail servers report, then what programs send, then what people write. Pure. */
function classifyMessage(message: InboundMessage): Classification {
  const returned = returnedEmail(message);
  const parts = splitQuote(message.text);
  const base = {
    recipient: null,
    isRecipientNamed: false,
    status: null,
    cause: null,
    isComplaint: false,
    until: null,
    hasLeft: LEFT_COMPANY.matches(parts.own.slice(0, MAX_OPENING)),
    originalMessageIds: returned.messageIds,
    references: returned.references,
    token: null,
    threadIndexes: fieldValues(message, 'thread-index'),
    returnedHeader: returned.header,
    ownText: parts.own,
  };

  const feedback = feedbackReport(message, returned);
  if (feedback !== null) return { ...base, verdict: 'feedback_report', ...feedback };
  const notice = deliveryNotice(message, returned);
  if (notice !== null && !isFilterNotice(message)) return { ...base, ...ofNotice(notice, returned) };

  const answer = (verdict: Verdict, reason: string) => ({ ...base, verdict, reasons: [reason] });
  // Mail programs and providers send it at the push of a button, some of them with the marks of an automatic message.
  const token = removalToken(message);
  if (token !== null) return { ...answer('unsubscribe_request', 'sent to the address in List-Unsubscribe'), token };
  const automatic = automaticReason(message, parts);
  if (automatic !== null) return answer('other', automatic);
  if (
    isFromDaemon(message) &&
    message.from !== null &&
    !isAnswerSubject(message.subject) &&
    /^auto-/i.test(field(message, 'auto-submitted'))
  )
    return answer('other', 'notice of a mail server');
  const autoReply = autoReplyReason(message, parts);
  if (autoReply !== null)
    return { ...answer('auto_reply', autoReply), until: returnDate(`${message.subject}\n${parts.own}`, message.date) };
  const unsubscribe = unsubscribeReason(message, parts.own);
  if (unsubscribe !== null) return answer('unsubscribe_request', unsubscribe);
  const bulk = bulkReason(message, parts);
  if (bulk !== null) return answer('other', bulk);
  return answer('reply', message.isBroken ? 'no sign of a program, but it could not be parsed completely' : 'no sign of a program');
}

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
