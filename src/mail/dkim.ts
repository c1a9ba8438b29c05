import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../core/errors.ts';

/** The public part of an account's DKIM setting; stored beside the sealed key. */
export interface DkimSetting {
  /** The signing domain (`d=`), in ASCII. */
  domain: string;
  selector: string;
  /** SubjectPublicKeyInfo, DER as base64: the record's `p=`. */
  public_key: string;
}

/** Key and names to sign an account's emails with. The key is unsealed, so never logged. */
export interface DkimSigner {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

/** The DNS record by which receivers verify the signatures (RFC 6376 §3.6). */
export interface DkimRecord {
  name: string;
  type: 'TXT';
  value: string;
}

/** RFC 8301 §3.2: signers must use at least 1024 bits and should use 2048. */
const MIN_BITS = 1_024;
const NEW_KEY_BITS = 2_048;

/** The DNS record to publish for a setting. */
export const dkimRecord = ({ domain, selector, public_key }: DkimSetting): DkimRecord => ({
  name: `${selector}._domainkey.${domain}`,
  type: 'TXT',
  value: `v=DKIM1; k=rsa; p=${public_key}`,
});

/** The record as a line of a zone file, in strings of at most 255 octets (RFC 1035 §3.3). */
export const zoneLine = ({ name, type, value }: DkimRecord): string =>
  `${name}. IN ${type} ( ${(value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ')} )`;

const generateRsa = promisify(generateKeyPair);

/** Reads an RSA key from PEM, or generates one. Throws `invalid_request` for a key that cannot sign. */
export async function dkimKey(pem: string | undefined): Promise<KeyObject> {
  if (pem === undefined) return (await generateRsa('rsa', { modulusLength: NEW_KEY_BITS })).privateKey;
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

/** The public key as SubjectPublicKeyInfo: DER in base64. */
export const publicKeyOf = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
