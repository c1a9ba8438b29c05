import { localPartOf } from './addresses.ts';
import { field, headerFields, type Mail } from './message.ts';
import type { Returned } from './returned.ts';

/** What a provider reports of our mail (abuse feedback, RFC 5965). */
export interface Feedback {
  /** Whether somebody complained, or wants no more mail. */
  isComplaint: boolean;
  /** Who complained; null where the provider hides it. */
  recipient: string | null;
  reasons: string[];
}

/** Types of report that say nothing about our mail being unwanted, or the opposite (RFC 5965 §7.3, RFC 6591). */
const NO_COMPLAINT = /^(not-spam|auth-failure|dmarc|virus)/i;

/** Reads a report about our mail: a feedback report, or one of the layouts that providers had before there was a standard. */
export function feedbackReport(mail: Mail, returned: Returned): Feedback | null {
  const report = mail.parts.find(({ type }) => type === 'message/feedback-report');
  const isTyped = /report-type="?feedback-report/i.test(field(mail, 'content-type'));
  const text = report?.text ?? (isTyped ? mail.text.slice(Math.max(0, mail.text.search(/^Feedback-Type:/m))) : null);
  if (text !== null) {
    const fields = new Map(headerFields(text).reverse());
    const type = fields.get('feedback-type') ?? 'of no type';
    return { isComplaint: !NO_COMPLAINT.test(type), recipient: recipientOf(fields, returned), reasons: [`feedback report: ${type}`] };
  }
  return fromOldLayout(mail, returned);
}

function recipientOf(fields: Map<string, string>, returned: Returned): string | null {
  const named = ['original-rcpt-to', 'redacted-address', 'removal-recipient'].map((name) => fields.get(name) ?? '');
  const address = named.map((value) => /[^\s<>;,]+@[^\s<>;,]+/.exec(value)?.[0]).find(Boolean);
  return address ?? (returned.to === null || /redacted/i.test(returned.to) ? null : returned.to);
}

/** Hotmail's JMRP, AOL's client notices, and complaints of scomp and abuse desks that send the mail back. */
function fromOldLayout(mail: Mail, returned: Returned): Feedback | null {
  const sender = mail.from === null ? '' : localPartOf(mail.from.address);
  const hmxmroid = field(mail, 'x-hmxmroriginalrecipient');
  const isHotmail = hmxmroid !== '' || (/^staff$/.test(sender) && /^complaint about message from/i.test(mail.subject));
  const isAol =
    /^(scomp|fbl-no-reply|abuse|feedbackloop|feedback-?loop)$/.test(sender) &&
    /client tos notification|complaint|abuse report|feedback/i.test(mail.subject);
  if (!isHotmail && !isAol) return null;
  return { isComplaint: true, recipient: hmxmroid === '' ? returned.to : hmxmroid, reasons: ['complaint of a provider'] };
}
