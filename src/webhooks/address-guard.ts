import type { LookupAddress } from 'node:dns';
import { lookup as lookupName, Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { SECOND } from '../core/clock.ts';
import { invalid, messageOf } from '../core/errors.ts';

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

/** The IPv6 space that IANA assigns (RFC 4291 §2.4); it holds no loopback, link-local, unique local or multicast address. */
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

/** `allowPrivate` permits private addresses and plain http: the setting `webhooks.allow_private`. */
export interface GuardOptions {
  allowPrivate: boolean;
}

const MAX_URL = 2_048;

/**
 * Normalizes and checks the URL of a receiver as far as possible without a DNS lookup: https, no credentials, no private
 * address, 2,048 characters at most. Throws `invalid_request` beginning with `url:`.
 */
export function receiverUrl(text: string, { allowPrivate }: GuardOptions): string {
  if (text.length > MAX_URL) throw invalid(`url: at most ${MAX_URL.toLocaleString('en')} characters`);
  if (!URL.canParse(text)) throw invalid('url: must be an https URL such as https://example.com/hooks');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw invalid('url: must start with https://');
  if (url.username !== '' || url.password !== '') throw invalid('url: must not contain a user name or password');
  if (url.hash !== '') throw invalid('url: must not have a fragment (#…)');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isNamedPrivate = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host);
  if (!allowPrivate && (isNamedPrivate || (isIP(host) !== 0 && !isPublicAddress(host)))) throw invalid(`url: ${REFUSAL}`);
  return url.href;
}

const REFUSAL = 'not an address of the public internet; the operator can allow private addresses with webhooks.allow_private';

/**
 * Asks the name servers by itself. The operating system's look-ups take turns on two threads of the process: names whose servers never
 * answer would keep those of the mail servers waiting, and with them the emails of everybody.
 */
const nameServers = new Resolver({ timeout: 2 * SECOND, tries: 2 });

/**
 * Looks a host up once and returns the addresses to connect to. Throws if one of them is not public. The connection uses
 * the addresses checked here, so that DNS rebinding cannot redirect it to a private one (CWE-918). Where private addresses are allowed,
 * names that only this machine knows, such as those in /etc/hosts, are found too.
 */
export async function checkedAddresses(
  host: string,
  { allowPrivate }: GuardOptions,
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'> = nameServers,
): Promise<LookupAddress[]> {
  const addresses = await (allowPrivate ? lookupName(host, { all: true }) : publicNames(host, resolver)).catch((error: unknown) => {
    throw new Error(`the host name ${host} can't be resolved: ${messageOf(error)}`);
  });
  const refused = allowPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (refused !== undefined) throw new Error(`${host} is ${refused.address}: ${REFUSAL}`);
  return addresses;
}

/** The addresses of a name; IPv4 first. Throws the error of the first query if both fail. */
async function publicNames(host: string, resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): Promise<LookupAddress[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  const found = (answer: PromiseSettledResult<string[]>, family: number) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
  return [...found(four, 4), ...found(six, 6)];
}
