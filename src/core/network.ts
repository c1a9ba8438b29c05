import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { messageOf } from './errors.ts';
import { isPublicAddress, publicNames } from './public-address.ts';

/** The way to servers that a user names: their addresses, and which of these may be connected to. */
export interface Network {
  /** All addresses of a name. Throws if there is none. */
  addressesOf(host: string): Promise<LookupAddress[]>;
  isPublic(address: string): boolean;
}

export const INTERNET: Network = { addressesOf: publicNames, isPublic: isPublicAddress };

/** A host that is, or whose name leads to, an address that is not of the public internet. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/**
 * Looks a host up and returns its addresses. Throws `NotPublic` unless all of them are public, and another error if its name can't be resolved.
 * @param host a name or an IP address
 */
export async function publicAddresses({ addressesOf, isPublic }: Network, host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  const addresses = family === 0 ? await addressesOf(host).catch((error: unknown) => unresolved(host, error)) : [{ address: host, family }];
  const refused = addresses.find(({ address }) => !isPublic(address));
  if (refused === undefined) return addresses;
  const what = family === 0 ? `${host} is ${refused.address}: not` : `${host} is not`;
  throw new NotPublic(`${what} an address of the public internet`);
}

function unresolved(host: string, error: unknown): never {
  throw new Error(`the host name ${host} can't be resolved: ${messageOf(error)}`, { cause: error });
}

/**
 * The `lookup` of a socket that connects to public addresses only. The socket takes the very addresses that were checked, so that a name that
 * leads elsewhere a moment later (DNS rebinding, CWE-918) changes nothing. Node looks no IP address up: check those with `publicAddresses`.
 */
export const publicLookup =
  (network: Network): LookupFunction =>
  (host, options, callback) => {
    publicAddresses(network, host).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else if (first !== undefined) callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
