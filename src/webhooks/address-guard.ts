import { isIP } from 'node:net';
import { grouped } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import { isPublicAddress } from '../core/public-address.ts';

/** `allowPrivate`, the setting `webhooks.allow_private`, permits private addresses and plain http. */
export interface GuardOptions {
  allowPrivate: boolean;
}

const MAX_URL = 2_048;

/**
 * Normalizes and checks the URL of a receiver as far as possible without a DNS lookup: https, no credentials, no private
 * address, 2,048 characters at most. Throws `invalid_request` beginning with `url:`.
 */
export function receiverUrl(text: string, { allowPrivate }: GuardOptions): string {
  if (text.length > MAX_URL) throw invalid(`url: at most ${grouped(MAX_URL)} characters`);
  if (!URL.canParse(text)) throw invalid('url: must be an https URL such as https://example.com/hooks');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw invalid('url: must start with https://');
  if (url.username !== '' || url.password !== '') throw invalid('url: must not contain a user name or password');
  if (url.hash !== '') throw invalid('url: must not have a fragment (#…)');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isNamedPrivate = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host);
  if (!allowPrivate && (isNamedPrivate || (isIP(host) !== 0 && !isPublicAddress(host))))
    throw invalid(`url: not an address of the public internet; ${REMEDY}`);
  return url.href;
}

/** The remedy for a receiver in a private network. */
export const REMEDY = 'the operator can allow private addresses with webhooks.allow_private';
