import type { LookupAddress } from 'node:dns';
import { lookup as lookupName } from 'node:dns/promises';
import { isIP } from 'node:net';
import { invalid, messageOf } from '../core/errors.ts';
import { isPublicAddress, type NameServers, publicNames } from '../core/public-address.ts';

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
 * Looks a host up once and returns the addresses to connect to. Throws if one of them is not public. The connection uses
 * the addresses checked here, so that DNS rebinding cannot redirect it to a private one (CWE-918). Where private addresses are allowed,
 * names that only this machine knows, such as those in /etc/hosts, are found too.
 */
export async function checkedAddresses(host: string, { allowPrivate }: GuardOptions, resolver?: NameServers): Promise<LookupAddress[]> {
  const addresses = await (allowPrivate ? lookupName(host, { all: true }) : publicNames(host, resolver)).catch((error: unknown) => {
    throw new Error(`the host name ${host} can't be resolved: ${messageOf(error)}`);
  });
  const refused = allowPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
  if (refused !== undefined) throw new Error(`${host} is ${refused.address}: ${REFUSAL}`);
  return addresses;
}
