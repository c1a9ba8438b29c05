import { field, headerFields, type InboundMessage, messageIdOf, namedAddresses, UTF_8 } from './message.ts';

/** Longer headers are not looked through. */
const MAX_HEADER = 20_000;

/**
 * True where a message is only the wrapping of one that is attached to it, because it has its sender and its date or Message-ID:
 * spam filters deliver messages so, with their report in place of the text (SpamAssassin's `report_safe`), and so do gateways that
 * add a notice. Whoever forwards a message as an attachment sends it at another time, mostly under another name.
 */
export function isWrappingOf(outer: InboundMessage, attached: Uint8Array): boolean {
  const header = UTF_8.decode(attached.subarray(0, MAX_HEADER)).replaceAll('\r\n', '\n').trimStart().split('\n\n', 1)[0] ?? '';
  const fields = new Map(headerFields(header).reverse());
  const sender = namedAddresses(fields.get('from') ?? '')[0]?.address.toLowerCase();
  if (sender === undefined || sender !== outer.from?.address.toLowerCase()) return false;
  const id = messageIdOf(outer);
  const date = field(outer, 'date');
  return (id !== null && (fields.get('message-id') ?? '').includes(id)) || (date !== '' && fields.get('date') === date);
}
