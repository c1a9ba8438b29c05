import { isIP } from 'node:net';

/** An address in brackets or a dotted IPv4 address, with an optional port. IPv6 without brackets can't have a port. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * Returns the address of a client as PostgreSQL's `inet` accepts it, from a socket or from an entry of X-Forwarded-For: without a port
 * (`1.2.3.4:5678`, `[::1]:443`; Azure adds one), zone (`fe80::1%eth0`) or the prefix of an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`).
 * Returns null for text that is not an address, such as `unknown` and the `_hidden` of RFC 7239 §6.
 */
export function clientAddress(text: string | undefined): string | null {
  const trimmed = (text ?? '').trim();
  const [, bracketed, dotted] = WITH_PORT.exec(trimmed) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? trimmed).toLowerCase().split('%');
  const bare = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIP(bare) === 0 ? null : bare;
}

/**
 * Returns the /24 or /48 network of an address. No more than that is stored of people's addresses.
 * @param address as `clientAddress` returns it
 */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return `${address.replace(/(?<!\d)\d+$/, '0')}/24`;
  const [head = ''] = address.split('::');
  const groups = head
    .split(':')
    .slice(0, 3)
    .filter((group) => group !== '');
  return `${groups.join(':') || '0'}::/48`;
}
