import { localPartOf } from './addresses.ts';
import { field, type InboundMessage } from './message.ts';
import { DAEMON_LOCAL_PARTS, DAEMON_NAMES } from './phrases/senders.ts';

/** Exchange writes from MicrosoftExchange and the hexadecimal id of the organization; the local part may have an extension. */
const DAEMON_ADDRESS = new RegExp(`^(?:${DAEMON_LOCAL_PARTS.pattern}|microsoftexchange[0-9a-f]{10,})(?:[+._-].*)?$`, 'iu');

/** True if the sender's address or name belongs to a mail server. */
export function isFromDaemon(message: InboundMessage): boolean {
  if (message.from === null) return /^<?>?$|mailer-daemon/i.test(field(message, 'from')) || DAEMON_NAMES.matches(field(message, 'from'));
  return DAEMON_ADDRESS.test(localPartOf(message.from.address)) || DAEMON_NAMES.matches(message.from.name);
}

/** True for an empty envelope sender, which RFC 3464 §2 and RFC 3834 §3.3 require for messages that must not be answered. */
export const hasNullSender = (message: InboundMessage): boolean => /^<(mailer-daemon(@.*)?)?>$/i.test(field(message, 'return-path'));

/** True for a delivery report (RFC 6522), even if the status itself is missing. */
export const isDeliveryReport = (message: InboundMessage): boolean => /report-type="?delivery-status/i.test(field(message, 'content-type'));

/** True for MAILER-DAEMON, the one address that no person writes from (Sendmail, Postfix, qmail, Exim). */
export const isFromMailerDaemon = (message: InboundMessage): boolean =>
  /^mail(?:er)?[-_ ]?daemon(?:$|[+._@-])/i.test(message.from?.address ?? field(message, 'from'));
