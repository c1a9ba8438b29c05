import { sameAddress } from './addresses.ts';
import { field, headerFields, type InboundMessage, messageIdOf, namedAddresses, UTF_8 } from './message.ts';

/** The rest of a longer header is not read. */
const MAX_HEADER = 20_000;

/**
 * True if a message merely wraps the attached one: both have the same sender, and the same date or Message-ID. Spam filters deliver such
 * messages with their report as the text (SpamAssassin's `report_safe`), and so do gateways that add a notice. A person who forwards a
 * message as an attachment sends it at a different time, and usually under a different name.
 */
export function isWrappingOf(outer: InboundMessage, attached: Uint8Array): boolean {
  const header = UTF_8.decode(attached.subarray(0, MAX_HEADER)).replaceAll('\r\n', '\n').trimStart().split('\n\n', 1)[0] ?? '';
  const fields = new Map(headerFields(header).reverse());
  const sender = namedAddresses(fields.get('from') ?? '')[0]?.address;
  if (!sameAddress(sender ?? null, outer.from?.address ?? null)) return false;
  const id = messageIdOf(outer);
  const date = field(outer, 'date');
  return (id !== null && (fields.get('message-id') ?? '').includes(id)) || (date !== '' && fields.get('date') === date);
}
