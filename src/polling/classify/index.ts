import { classifyReply } from '../../smtp-replies.ts';
import { autoReplyReason, returnDate } from './auto-reply.ts';
import { classifyBounceText } from './bounce-text.ts';
import { deliveryStatus } from './dsn.ts';
import { field, type Mail } from './message.ts';
import { answersOf, returnedIds } from './threading.ts';
import { isRemovalRequest } from './unsubscribe.ts';
import { type Classification, verdictOf } from './verdict.ts';

export { type Mail, parseMail } from './message.ts';
export { answersOf, messageIdOf, returnedIds } from './threading.ts';
export { ownText } from './unsubscribe.ts';
export { type Classification, VERDICTS, type Verdict } from './verdict.ts';

/**
 * What a message is, with the reasons. Pure; the order is the rule: reports of machines, then bounces in words, then
 * automatic replies, other machines' mail, requests to be removed; what is left was written by a person.
 * @param today the day on which it is read, `YYYY-MM-DD`, for return dates without a year
 */
export function classifyMail(mail: Mail, today: string): Classification {
  const feedback = mail.parts.find(({ type }) => type === 'message/feedback-report');
  if (feedback !== undefined) {
    const recipient =
      /^(?:original-rcpt-to|removal-recipient):\s*<?([^\s<>]+@[^\s<>]+)>?/im.exec(feedback.text)?.[1]?.toLowerCase() ?? null;
    return verdictOf('feedback_report', 'RFC 5965 feedback report', { recipient });
  }
  if (/disposition-notification/i.test(field(mail, 'content-type'))) return verdictOf('other', 'a read receipt (RFC 8098)');
  const bounce = classifyReport(mail) ?? classifyBounceText(mail);
  if (bounce !== undefined) return bounce;
  const automatic = autoReplyReason(mail);
  if (automatic !== undefined) return verdictOf('auto_reply', automatic, { until: returnDate(mail.text, today) });
  const machine = machineReason(mail);
  if (machine !== undefined) return verdictOf('other', machine);
  if (isRemovalRequest(mail.subject, mail.text)) return verdictOf('unsubscribe_request', 'asks to get no more mail');
  return verdictOf('reply', 'nothing says that a machine wrote it');
}

function classifyReport(mail: Mail): Classification | undefined {
  const recipients = deliveryStatus(mail);
  const chosen =
    recipients.find(({ action }) => action === 'failed') ?? recipients.find(({ action }) => action === 'delayed') ?? recipients[0];
  if (chosen === undefined) return undefined;
  const about = { recipient: chosen.original ?? chosen.final, status: chosen.status, originalMessageIds: returnedIds(mail).messageIds };
  if (chosen.action === 'delayed') return verdictOf('delay', 'RFC 3464 report: delayed', about);
  if (chosen.action !== 'failed' && chosen.action !== null) return verdictOf('other', `RFC 3464 report: ${chosen.action}`, about);
  const { class: kind, rule } = classifyReply({
    phase: 'dsn',
    code: null,
    enhanced: chosen.status,
    text: `${chosen.diagnostic} ${mail.text.slice(0, 2_000)}`,
  });
  const isHard = kind === 'hard' || (chosen.status?.startsWith('5.1.') === true && kind !== 'soft');
  return verdictOf(isHard ? 'hard_bounce' : 'soft_bounce', `RFC 3464 report: failed, ${chosen.status ?? 'no status'}`, {
    ...about,
    reasons: [rule],
  });
}

/** Mail that a program wrote and that answers nothing. */
function machineReason(mail: Mail): string | undefined {
  const submitted = field(mail, 'auto-submitted')
    .toLowerCase()
    .replace(/[;(].*$/, '')
    .trim();
  if (submitted !== '' && submitted !== 'no' && answersOf(mail).length === 0) return `Auto-Submitted: ${submitted}`;
  if (/\bmethod=(request|reply|cancel)\b/i.test(field(mail, 'content-type'))) return 'a calendar message';
  if (mail.fields.has('list-unsubscribe') && mail.fields.has('list-id') && answersOf(mail).length === 0) return 'a mailing list';
  return undefined;
}
