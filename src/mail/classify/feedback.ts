import { localPartOf } from './addresses.ts';
import { field, headerFields, type InboundMessage } from './message.ts';
import type { ReturnedEmail } from './returned-email.ts';

/** A provider's report about one of our emails (abuse feedback, RFC 5965). */
export interface Feedback {
  /** True if the recipient complained or opted out. */
  isComplaint: boolean;
  /** Address of the recipient who complained; null if the provider redacts it. */
  recipient: string | null;
  reasons: string[];
}

/** Feedback types that are not complaints (RFC 5965 §7.3, RFC 6591). */
const NO_COMPLAINT = /^(not-spam|auth-failure|dmarc|virus)/i;

/** Reads a feedback report, also in the layouts that providers used before there was a standard. Null for any other message. */
export function feedbackReport(message: InboundMessage, returned: ReturnedEmail): Feedback | null {
  const report = message.parts.find(({ type }) => type === 'message/feedback-report');
  const isTyped = /report-type="?feedback-report/i.test(field(message, 'content-type'));
  const text = report?.text ?? (isTyped ? message.text.slice(Math.max(0, message.text.search(/^Feedback-Type:/m))) : null);
  if (text !== null) {
    const fields = new Map(headerFields(text).reverse());
    const type = fields.get('feedback-type') ?? 'no type';
    return { isComplaint: !NO_COMPLAINT.test(type), recipient: recipientOf(fields, returned), reasons: [`feedback report: ${type}`] };
  }
  return fromOldLayout(message, returned);
}

function recipientOf(fields: Map<string, string>, returned: ReturnedEmail): string | null {
  const named = ['original-rcpt-to', 'redacted-address', 'removal-recipient'].map((name) => fields.get(name) ?? '');
  const address = named.map((value) => /(?<![^\s<>;,@])[^\s<>;,@]+@[^\s<>;,]+/.exec(value)?.[0]).find(Boolean);
  return address ?? (returned.to === null || /redacted/i.test(returned.to) ? null : returned.to);
}

/**
 * Reads layouts from before RFC 5965: Hotmail's JMRP, AOL's client notices, and emails that scomp or an abuse desk returns with a
 * complaint.
 */
function fromOldLayout(message: InboundMessage, returned: ReturnedEmail): Feedback | null {
  const sender = message.from === null ? '' : localPartOf(message.from.address);
  const hmxmroid = field(message, 'x-hmxmroriginalrecipient');
  const isHotmail = hmxmroid !== '' || (/^staff$/.test(sender) && /^complaint about message from/i.test(message.subject));
  const isAol =
    /^(scomp|fbl-no-reply|abuse|feedbackloop|feedback-?loop)$/.test(sender) &&
    /client tos notification|complaint|abuse report|feedback/i.test(message.subject);
  if (!isHotmail && !isAol) return null;
  return { isComplaint: true, recipient: hmxmroid === '' ? returned.to : hmxmroid, reasons: ['complaint forwarded by a provider'] };
}
