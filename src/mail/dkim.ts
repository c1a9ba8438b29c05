import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../core/errors.ts';

/** What of an account's DKIM is no secret; stored beside the sealed key. */
export interface DkimSetting {
  /** The signing domain (`d=`), in ASCII. */
  domain: string;
  selector: string;
  /** SubjectPublicKeyInfo, DER as base64: the record's `p=`. */
  public_key: string;
}

/** What signs an account's mails; the key is unsealed, so never logged. */
export interface DkimSigner {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

/** The TXT record that lets everybody check the signatures (RFC 6376 §3.6). */
export interface DkimRecord {
  name: string;
  type: 'TXT';
  value: string;
}

/** RFC 8301 §3.2: signers use at least 1024 bits and should use 2048. */
const MIN_BITS = 1_024;
const NEW_KEY_BITS = 2_048;

export const dkimRecord = ({ domain, selector, public_key }: DkimSetting): DkimRecord => ({
  name: `${selector}._domainkey.${domain}`,
  type: 'TXT',
  value: `v=DKIM1; k=rsa; p=${public_key}`,
});

/** The record as a line of a zone file: a string of it holds 255 octets at most (RFC 1035 §3.3). */
export const zoneLine = ({ name, type, value }: DkimRecord): string =>
  `${name}. IN ${type} ( ${(value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ')} )`;

const generateRsa = promisify(generateKeyPair);

/** A new RSA key, or the one that the PEM text holds. Throws `invalid_request` for what can't sign. */
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

export const publicKeyOf = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
