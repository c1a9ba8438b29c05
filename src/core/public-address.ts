import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { SECOND } from './clock.ts';

/** Networks without public servers: the IANA special-purpose registries (RFC 6890, RFC 8190) and multicast. */
const SPECIAL = {
  ipv4: [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
    ...['192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
    ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ],
  ipv6: [...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']],
} as const;

const special = new BlockList();
for (const [family, networks] of Object.entries(SPECIAL) as ['ipv4' | 'ipv6', readonly string[]][])
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    special.addSubnet(address, Number(bits), family);
  }

/** The IPv6 space that IANA assigns (RFC 4291 §2.4); it contains no loopback, link-local, unique local or multicast address. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');

const NAT64 = new BlockList();
NAT64.addSubnet('64:ff9b::', 96, 'ipv6');

/**
 * True for addresses of the public internet. IPv4 embedded in IPv6 is checked as IPv4, both mapped (RFC 4291 §2.5.5.2)
 * and translated (64:ff9b::/96, RFC 6052).
 */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return isIP(address) === 4 && !special.check(address, 'ipv4');
  // URL normalizes addresses to their shortest form, with embedded IPv4 in hexadecimal.
  const short = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const embedded = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(short);
  if (embedded !== null && (short.startsWith('::ffff:') || NAT64.check(short, 'ipv6')))
    return isPublicAddress(dotted(embedded[1] ?? '0', embedded[2] ?? '0'));
  return GLOBAL.check(short, 'ipv6') && !special.check(short, 'ipv6');
}

const dotted = (high: string, low: string): string =>
  [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');

/** The queries that a look-up makes. */
export type NameServers = Pick<Resolver, 'resolve4' | 'resolve6'>;

let nameServers: NameServers | undefined;

/**
 * Returns a resolver that queries the name servers itself. The operating system's look-ups share two threads of the process: names whose
 * servers never answer would block the look-ups of mail servers, and so everybody's emails.
 */
function ownNameServers(): NameServers {
  nameServers ??= new Resolver({ timeout: 2 * SECOND, tries: 2 });
  return nameServers;
}

/**
 * Looks up the addresses of a name at the name servers, IPv4 first. Ignores the hosts file of this machine. Throws the error of the first
 * query if both fail.
 */
export async function publicNames(host: string, resolver: NameServers = ownNameServers()): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  const found = (answer: PromiseSettledResult<string[]>, family: number) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
  return [...found(four, 4), ...found(six, 6)];
}
