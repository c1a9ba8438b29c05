import type { DeliveryNotice } from './bounce.ts';
import { diagnose } from './diagnose.ts';
import type { Feedback } from './feedback.ts';
import type { InboundMessage } from './message.ts';

/** A report by Amazon SES about an email. SNS sends it as an email with JSON in the text and a footer below. */
interface SesNotification {
  notice: DeliveryNotice | null;
  feedback: Feedback | null;
  /** Message-IDs with angle brackets, ours first. */
  messageIds: string[];
  /** X-Entity-Ref-ID in the header of our email, which SES repeats. */
  references: string[];
}

interface Recipient {
  emailAddress?: unknown;
  status?: unknown;
  diagnosticCode?: unknown;
}

/**
 * The relevant parts of an SES notification (Amazon SES Developer Guide, "Notification contents"). They are untrusted: anybody can send
 * one.
 */
interface Report {
  notificationType?: unknown;
  eventType?: unknown;
  bounce?: { bounceType?: unknown; bouncedRecipients?: Recipient[] };
  complaint?: { complaintFeedbackType?: unknown; complainedRecipients?: Recipient[] };
  mail?: {
    messageId?: unknown;
    sourceArn?: unknown;
    headers?: { name?: unknown; value?: unknown }[];
    commonHeaders?: { messageId?: unknown };
  };
}

const MAX_JSON = 60_000;

/** Reads the notification in a message; null if it has none. */
export function sesNotification({ text }: InboundMessage): SesNotification | null {
  if (!/"(?:notificationType|eventType|Type)\\?"\s?:/.test(text.slice(0, 2_000))) return null;
  const report = reportIn(text);
  const type = report === null ? '' : String(report.notificationType ?? report.eventType ?? '');
  if (report === null || !/^(Bounce|Complaint)$/.test(type)) return null;
  const base = { messageIds: idsIn(report), references: headersIn(report, 'x-entity-ref-id') };
  return type === 'Bounce'
    ? { ...base, notice: noticeIn(report), feedback: null }
    : { ...base, notice: null, feedback: feedbackIn(report) };
}

function reportIn(text: string): Report | null {
  const json = parsed(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1).slice(0, MAX_JSON));
  // Without raw message delivery, SNS wraps the notification.
  return typeof json?.Message === 'string' ? parsed(json.Message) : json;
}

function parsed(json: string): (Report & { Message?: unknown }) | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 2_000) : '');
const listIn = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? value : []);
const addressesIn = (recipients: readonly Recipient[] | undefined): string[] =>
  listIn(recipients).flatMap((each) => /(?<![^\s<>])[^\s<>]+@[^\s<>]+/.exec(textIn(each?.emailAddress))?.[0] ?? []);

function noticeIn({ bounce }: Report): DeliveryNotice {
  const [first] = listIn(bounce?.bouncedRecipients);
  const recipients = addressesIn(bounce?.bouncedRecipients);
  const type = textIn(bounce?.bounceType);
  const found = diagnose(textIn(first?.diagnosticCode), /^[245]\.\d{1,3}\.\d{1,3}$/.exec(textIn(first?.status))?.[0] ?? null);
  const isHard = type === 'Permanent';
  const diagnosis = found.isKnown
    ? found
    : { ...found, isHard, class: isHard ? ('hard' as const) : ('temp' as const), rule: `SES calls it ${type}` };
  return {
    outcome: 'failed',
    recipient: recipients[0] ?? null,
    recipients,
    isRecipientNamed: recipients.length > 0,
    diagnosis,
    reasons: [`notification of Amazon SES: bounce ${type}`],
  };
}

function feedbackIn({ complaint }: Report): Feedback {
  const type = textIn(complaint?.complaintFeedbackType) || 'no type';
  return {
    isComplaint: type !== 'not-spam',
    recipient: addressesIn(complaint?.complainedRecipients)[0] ?? null,
    reasons: [`notification of Amazon SES: complaint, ${type}`],
  };
}

const headersIn = ({ mail }: Report, name: string): string[] =>
  listIn(mail?.headers).flatMap((header) => (textIn(header?.name).toLowerCase() === name ? [textIn(header.value)] : []));

function idsIn(report: Report): string[] {
  const { mail } = report;
  const region = /^arn:aws:ses:([a-z0-9-]{1,30}):/.exec(textIn(mail?.sourceArn))?.[1];
  const own = /^[\w-]{10,100}$/.exec(textIn(mail?.messageId))?.[0];
  const byProvider =
    own === undefined ? [] : ['email', ...(region === undefined ? [] : [region])].map((host) => `<${own}@${host}.amazonses.com>`);
  return [...headersIn(report, 'message-id'), textIn(mail?.commonHeaders?.messageId), ...byProvider].filter((id) =>
    /^<[^<>\s]+>$/.test(id),
  );
}
