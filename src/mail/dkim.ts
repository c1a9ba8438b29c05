import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { DAY } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';

export type DkimAlgorithm = 'rsa' | 'ed25519';

/** The public part of a DKIM key of an account. Stored next to the sealed keys, in the same order. */
export interface DkimKey {
  /** The signing domain (`d=`), in ASCII. */
  domain: string;
  selector: string;
  algorithm: DkimAlgorithm;
  /** The `p=` of the record, in base64: SubjectPublicKeyInfo (DER) for RSA, the 32 bytes of the key for Ed25519 (RFC 8463 §4). */
  public_key: string;
  /** The instant at which a replaced key stops signing, in RFC 3339; null for a current key. */
  until: string | null;
}

/** A signing key with its domain and selector. The key is unsealed, so never logged. */
export interface DkimSigner {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

/** The DNS record by which receivers verify the signatures of one key (RFC 6376 §3.6). */
export interface DkimRecord {
  name: string;
  type: 'TXT';
  value: string;
  /** The instant from which the record of a replaced key may be deleted, in RFC 3339; null for a current key. */
  keep_until: string | null;
}

/** RFC 8301 §3.2: signers must use at least 1024 bits and should use 2048. */
const MIN_BITS = 1_024;
const NEW_KEY_BITS = 2_048;
/** The DER of an Ed25519 public key is a prefix of 12 bytes and the 32 bytes of the key (RFC 8410 §4). */
const ED25519_PREFIX = 12;

/** Validity of a signature (`x=`): mail queues hold an email for up to five days, and forwarders have queues of their own. */
export const SIGNATURE_LIFETIME = 14 * DAY;
/** Time for which a replaced key still signs together with the new one: DNS caches must have the new record before it signs alone. */
export const KEY_OVERLAP = 7 * DAY;

/** Returns the DNS record to publish for a key. */
export const dkimRecord = ({ domain, selector, algorithm, public_key, until }: DkimKey): DkimRecord => ({
  name: `${selector}._domainkey.${domain}`,
  type: 'TXT',
  value: `v=DKIM1; k=${algorithm}; p=${public_key}`,
  keep_until: until === null ? null : new Date(Date.parse(until) + SIGNATURE_LIFETIME).toISOString(),
});

/** Formats the record as a line of a zone file, in strings of at most 255 octets (RFC 1035 §3.3). */
export const zoneLine = ({ name, type, value, keep_until }: DkimRecord): string =>
  `${name}. IN ${type} ( ${(value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ')} )${keep_until === null ? '' : ` ; keep until ${keep_until.slice(0, 10)}`}`;

const generate = promisify(generateKeyPair);

/** Reads an RSA key from PEM, or generates one. Throws `invalid_request` for a key that cannot sign. */
export async function rsaKey(pem: string | undefined): Promise<KeyObject> {
  if (pem === undefined) return (await generate('rsa', { modulusLength: NEW_KEY_BITS })).privateKey;
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw invalid('dkim_key: must be a private key in PEM, without a passphrase');
  }
  if (key.asymmetricKeyType !== 'rsa') throw invalid('dkim_key: must be an RSA key');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_BITS) throw invalid(`dkim_key: has ${bits} bits; receivers accept ${MIN_BITS} or more, ${NEW_KEY_BITS} is usual`);
  return key;
}

/** Generates an Ed25519 key. */
export const ed25519Key = async (): Promise<KeyObject> => (await generate('ed25519')).privateKey;

/** Returns the `p=` of the record of a private key, in base64. */
export function publicKeyOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return (key.asymmetricKeyType === 'ed25519' ? der.subarray(ED25519_PREFIX) : der).toString('base64');
}
