import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { messageOf } from './errors.ts';
import { isPublicAddress, publicNames } from './public-address.ts';

/** Resolves the servers that users name, and says which addresses may be connected to. */
export interface Network {
  /** All addresses of a name. Throws if there is none. */
  addressesOf(host: string): Promise<LookupAddress[]>;
  isPublic(address: string): boolean;
}

export const INTERNET: Network = { addressesOf: publicNames, isPublic: isPublicAddress };

/** Thrown for a host that is, or resolves to, an address outside the public internet. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/**
 * Looks up a host and returns its addresses. Throws `NotPublic` unless all of them are public, and another error if its name can't be
 * resolved.
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
 * The `lookup` of a socket that connects to public addresses only. The socket uses the very addresses that were checked, so that a name
 * that resolves differently a moment later (DNS rebinding, CWE-918) has no effect. Node does not look up IP addresses: check those with
 * `publicAddresses`.
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
