import type { ReplyClass } from '../replies/reply.ts';
import { autoReplyReason } from './auto-reply.ts';
import { automaticReason, bulkReason, isFilterNotice } from './automatic.ts';
import { type DeliveryNotice, deliveryNotice, isFromDaemon } from './bounce.ts';
import { feedbackReport } from './feedback.ts';
import { field, type Mail, parseMail } from './message.ts';
import { splitQuote } from './quote.ts';
import { returnDate } from './return-date.ts';
import { type Returned, returnedMail } from './returned.ts';
import { isAnswerSubject } from './subject.ts';
import { unsubscribeReason } from './unsubscribe.ts';

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

/** What a received message is. */
export interface Classification {
  /** `reply` means that a person wrote it; whether it answers our mail is the matcher's question. */
  verdict: Verdict;
  /** The recipient that a bounce, delay or complaint is about. */
  recipient: string | null;
  /** RFC 3463 status of a bounce or delay, such as `5.1.1`. */
  status: string | null;
  /** What a bounce puts the blame on; null for everything else. */
  cause: ReplyClass | null;
  /** Whether a feedback report says that the recipient complained. */
  isComplaint: boolean;
  /** The day on which the writer of an absence notice is back, `YYYY-MM-DD`. */
  until: string | null;
  /** What decided, in words for a person. */
  reasons: string[];
  /** Message-IDs with angle brackets of the mails that it answers or returns, the most telling first. */
  originalMessageIds: string[];
  /** Marks of ours in the header of a returned mail. */
  references: string[];
  /** The person's own words, without quotations and signature; of other mails the beginning. */
  ownText: string;
}

/** Reads and classifies a raw message. Never throws. */
export async function classifyRaw(raw: Uint8Array): Promise<{ mail: Mail; result: Classification }> {
  const mail = await parseMail(raw);
  return { mail, result: classifyMail(mail) };
}

/** Classifies a message: what servers say of mails first, then what programs answer, then what people wrote. Pure. */
export function classifyMail(mail: Mail): Classification {
  const returned = returnedMail(mail);
  const parts = splitQuote(mail.text);
  const base = {
    recipient: null,
    status: null,
    cause: null,
    isComplaint: false,
    until: null,
    originalMessageIds: returned.messageIds,
    references: returned.references,
    ownText: parts.own,
  };

  const feedback = feedbackReport(mail, returned);
  if (feedback !== null) return { ...base, verdict: 'feedback_report', ...feedback };
  const notice = deliveryNotice(mail, returned);
  if (notice !== null && !isFilterNotice(mail)) return { ...base, ...ofNotice(notice, returned) };

  const answer = (verdict: Verdict, reason: string) => ({ ...base, verdict, reasons: [reason] });
  const automatic = automaticReason(mail, parts);
  if (automatic !== null) return answer('other', automatic);
  if (isFromDaemon(mail) && mail.from !== null && !isAnswerSubject(mail.subject) && /^auto-/i.test(field(mail, 'auto-submitted')))
    return answer('other', 'notice of a mail server');
  const autoReply = autoReplyReason(mail, parts);
  if (autoReply !== null) return { ...answer('auto_reply', autoReply), until: returnDate(`${mail.subject}\n${parts.own}`, mail.date) };
  const unsubscribe = unsubscribeReason(mail, parts.own);
  if (unsubscribe !== null) return answer('unsubscribe_request', unsubscribe);
  const bulk = bulkReason(mail, parts);
  if (bulk !== null) return answer('other', bulk);
  return answer(
    'reply',
    mail.isBroken ? 'nothing says that a program sent it, but it could not be read whole' : 'nothing says that a program sent it',
  );
}

function ofNotice(
  notice: DeliveryNotice,
  returned: Returned,
): Pick<Classification, 'verdict' | 'recipient' | 'status' | 'cause' | 'reasons'> {
  const { outcome, diagnosis, reasons } = notice;
  const recipient = notice.recipient ?? returned.to;
  if (outcome === 'delivered') return { verdict: 'other', recipient, status: diagnosis.status, cause: null, reasons };
  if (outcome === 'delayed') return { verdict: 'delay', recipient, status: diagnosis.status, cause: null, reasons };
  return {
    verdict: diagnosis.isHard ? 'hard_bounce' : 'soft_bounce',
    recipient,
    status: diagnosis.status,
    cause: diagnosis.class,
    reasons: [...reasons, `${diagnosis.class}: ${diagnosis.rule}`],
  };
}
