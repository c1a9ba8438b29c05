import { firstLine } from './first-line.ts';
import { headerFields, type InboundMessage } from './message.ts';

/** The status of one recipient in a delivery status notification (RFC 3464 §2.3). */
export interface DsnRecipient {
  /** Address in Final-Recipient; null if there is none. */
  final: string | null;
  /** Address in Original-Recipient: the one that the sender used, if the report has it. */
  original: string | null;
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded' | null;
  /** RFC 3463 status such as `5.1.1`. */
  status: string | null;
  /** Diagnostic-Code without its type: the reply of the remote server. */
  diagnostic: string;
}

const STATUS_START = /(Reporting-MTA|Final-Recipient):/iy;
const MAX_RECIPIENTS = 200;

/**
 * Returns the recipients in all delivery status parts of a message. Also reads internationalized parts (RFC 6533) and parts with a wrong
 * type.
 */
export function deliveryStatus(message: InboundMessage): DsnRecipient[] {
  const typed = message.parts.filter(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  const sources = typed.length > 0 ? typed : message.parts.filter(({ type, text }) => !isReturned(type) && looksLikeStatus(text));
  // A gateway may have wrapped the report in another message.
  if (sources.length === 0) sources.push(...message.parts.filter(({ type, text }) => type === 'message/rfc822' && isReport(text)));
  if (sources.length > 0) return sources.flatMap(({ text }) => parseDeliveryStatus(text)).slice(0, MAX_RECIPIENTS);
  // A gateway removed the MIME structure, so the report is in the text.
  const at = firstLine(message.text, STATUS_START);
  return at === -1 ? [] : parseDeliveryStatus(message.text.slice(at)).filter((recipient) => recipient.action !== null);
}

const isReturned = (type: string) => /^(message|text)\/(rfc822|global|partial|rfc822-headers|global-headers|html|calendar)$/.test(type);

const isReport = (text: string) => /report-type="?delivery-status/i.test(text.slice(0, 10_000)) && /^Final-Recipient:/im.test(text);

const looksLikeStatus = (text: string) => /^Final-Recipient:/im.test(text) && /^(Action|Status):/im.test(text);

/**
 * Parses the fields of a delivery status: one block per recipient, separated by blank lines. A block without an address belongs to the
 * previous one, because some servers put blank lines inside a block.
 */
function parseDeliveryStatus(text: string): DsnRecipient[] {
  const recipients: DsnRecipient[] = [];
  for (const block of text.split(/\n[ \t]*\n/).slice(0, MAX_RECIPIENTS * 2)) {
    for (const group of byRecipient(headerFields(block))) {
      const isContinuation = !group.has('final-recipient') && !group.has('original-recipient');
      const last = recipients.at(-1);
      if (!isContinuation) recipients.push(recipientOf(group));
      else if (last !== undefined) complete(last, recipientOf(group));
    }
  }
  return recipients;
}

/** Splits a block that names several recipients with no blank line between them. */
function byRecipient(fields: readonly [string, string][]): Map<string, string>[] {
  const groups: Map<string, string>[] = [];
  let group = new Map<string, string>();
  for (const [name, value] of fields) {
    if (name.endsWith('-recipient') && group.has(name)) {
      groups.push(group);
      group = new Map();
    }
    if (!group.has(name)) group.set(name, value);
  }
  return [...groups, group];
}

function recipientOf(fields: Map<string, string>): DsnRecipient {
  const get = (name: string) => fields.get(name) ?? '';
  return {
    final: typedAddress(get('final-recipient')),
    original: typedAddress(get('original-recipient')) ?? typedAddress(get('x-actual-recipient')),
    action: actionOf(get('action')),
    status: /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(get('status'))?.[1] ?? null,
    diagnostic: (get('diagnostic-code') || get('x-supplementary-info') || get('x-display-name')).replace(/^[\w-]+\s*;\s*/, ''),
  };
}

function complete(recipient: DsnRecipient, more: DsnRecipient): void {
  recipient.action ??= more.action;
  recipient.status ??= more.status;
  if (recipient.diagnostic === '') recipient.diagnostic = more.diagnostic;
}

/** Parses Action. Servers also write `Failed`, `failure`, `failed (user unknown)` or `deliverable`. */
function actionOf(text: string): DsnRecipient['action'] {
  const word = text.toLowerCase().trim();
  if (/^fail/.test(word)) return 'failed';
  if (/^delay/.test(word)) return 'delayed';
  if (/^(deliver)/.test(word)) return 'delivered';
  if (/^relay/.test(word)) return 'relayed';
  return /^expand/.test(word) ? 'expanded' : null;
}

/** Returns the address in a typed field (`rfc822; a@b`, `utf-8; …`). The type may be missing, and the address may be in brackets. */
function typedAddress(value: string): string | null {
  const text = decodeXtext(value.replace(/^[\w-]{1,20}\s*;\s*/, ''));
  return /[^\s<>"'(),;:]{1,64}@[^\s<>"'(),;:]{1,255}/.exec(text)?.[0]?.replace(/(?<![.])[.]+$/, '') ?? null;
}

/** Decodes `\x{20AC}` (RFC 6533 §3), and of xtext (RFC 3461 §4) only `+2B` and `+3D`: many servers do not encode the plus sign. */
const decodeXtext = (text: string) =>
  text
    .replaceAll(/\\x\{([0-9a-f]{1,6})\}/gi, (_, hex: string) => characterOf(Number.parseInt(hex, 16)))
    .replaceAll(/\+(2B|3D)(?=[^@]*@)/g, (_, hex: string) => characterOf(Number.parseInt(hex, 16)));

const characterOf = (code: number) => (code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : '');
