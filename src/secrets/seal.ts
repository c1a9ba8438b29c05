import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Place } from './sealed-columns.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * Encrypts credentials with AES-256-GCM and signs tokens, with keys derived from the installation's secret. `place` (table,
 * column, row, and for credentials the server) is authenticated with the text, so that an encrypted value can't be decrypted elsewhere
 * (NIST SP 800-38D; OWASP Cryptographic Storage). Old secrets still decrypt and verify.
 */
export interface Sealer {
  /** The id of the current secret, eight hex digits, stored with each encrypted value. */
  readonly keyId: string;
  /** The ids of all known secrets, the current one first. */
  readonly keyIds: readonly string[];
  /** Encrypts under the current secret: `v1:KEY_ID:NONCE:CIPHERTEXT:TAG`, the last three in base64url. */
  seal(plain: string, place: Place): string;
  /** Decrypts. Throws if the value was sealed under an unknown secret or for another place, or was changed. */
  open(sealed: string, place: Place): string;
  /** HMAC-SHA256 of the text, with a separate key for each purpose. */
  sign(purpose: string, text: string): Buffer;
  /** True if `signature` is the start, at least 16 bytes, of the text's signature under the current or an old secret. */
  verify(purpose: string, text: string, signature: Buffer): boolean;
  /** The 32-byte keys of a purpose, the current secret's first, for hashes that the database computes. */
  keysFor(purpose: string): Buffer[];
}

/** The keys derived from one secret. */
interface Key {
  readonly id: string;
  readonly sealing: Buffer;
  /** Kept as a Node `KeyObject`: creating one from 32 bytes takes five times as long as signing with it. */
  signing(purpose: string): KeyObject;
}

const MIN_SIGNATURE_BYTES = 16;

/** Splits the secrets in a setting or the file, separated by white space or commas, the current one first. */
export const secretsIn = (text: string): string[] => text.split(/[\s,]+/).filter((secret) => secret !== '');

/**
 * @param secrets the secrets of the installation, the current one first, each at least 32 bytes in base64url
 * @param changed called when a key is missing: returns the secrets if they have changed, otherwise undefined
 */
export function createSealer(secrets: string, changed: () => string | undefined = () => undefined): Sealer {
  let keys = secretsIn(secrets).map(keyOf);
  const current = (): Key => {
    const [key] = keys;
    if (key === undefined) throw new Error(TOO_SHORT);
    return key;
  };
  current();
  const reload = (): boolean => {
    const found = changed();
    if (found !== undefined) keys = secretsIn(found).map(keyOf);
    return found !== undefined;
  };
  const named = (id: string | undefined) => keys.find((key) => key.id === id);

  return {
    get keyId() {
      return current().id;
    },
    get keyIds() {
      return keys.map(({ id }) => id);
    },
    seal: (plain, place) => seal(current(), plain, place),
    open(sealed, place) {
      const [, id] = sealed.split(':');
      return open(named(id) ?? (reload() ? named(id) : undefined), sealed, place);
    },
    sign: (purpose, text) => sign(current(), purpose, text),
    verify(purpose, text, signature) {
      if (signature.length < MIN_SIGNATURE_BYTES) return false;
      const isSigned = () => keys.some((key) => timingSafeEqual(signature, sign(key, purpose, text).subarray(0, signature.length)));
      return isSigned() || (reload() && isSigned());
    },
    keysFor: (purpose) => keys.map((key) => key.signing(purpose).export()),
  };
}

const TOO_SHORT = 'the secret must be at least 32 bytes in base64url';
const isLongEnough = (root: Buffer): boolean => root.length >= 32;

/** True if the text of a setting or of the file has secrets, each of which is long enough. */
export function areSecrets(text: string): boolean {
  const secrets = secretsIn(text);
  return secrets.length > 0 && secrets.every((secret) => isLongEnough(Buffer.from(secret, 'base64url')));
}

function keyOf(secret: string): Key {
  const root = Buffer.from(secret, 'base64url');
  if (!isLongEnough(root)) throw new Error(TOO_SHORT);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', root, '', `outreach ${purpose}`, 32));
  let id: string | undefined;
  let sealing: Buffer | undefined;
  const signingKeys = new Map<string, KeyObject>();
  // Derived on first use: the first derivation takes 3 ms, and most commands need none.
  return {
    get id() {
      id ??= createHash('sha256').update(derive('key id')).digest('hex').slice(0, 8);
      return id;
    },
    get sealing() {
      sealing ??= derive('seal');
      return sealing;
    },
    signing(purpose) {
      const key = signingKeys.get(purpose) ?? createSecretKey(derive(`sign ${purpose}`));
      signingKeys.set(purpose, key);
      return key;
    },
  };
}

function seal(key: Key, plain: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.sealing, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(`${VERSION}|${key.id}|${place}`));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [VERSION, key.id, ...[nonce, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(':');
}

function open(key: Key | undefined, sealed: string, place: string): string {
  const [version, , nonce, text, tag] = sealed.split(':');
  if (version !== VERSION || nonce === undefined || text === undefined || tag === undefined) throw new Error('not an encrypted value');
  if (key === undefined)
    throw new Error('encrypted with another secret; restore the OUTREACH_SECRET_KEY or secret.key that it was encrypted with');
  const decipher = createDecipheriv('aes-256-gcm', key.sealing, Buffer.from(nonce, 'base64url'), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(`${VERSION}|${key.id}|${place}`));
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  try {
    return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new Error('it was changed, or belongs to another record, server or user; enter it again', { cause: error });
  }
}

const sign = (key: Key, purpose: string, text: string): Buffer => createHmac('sha256', key.signing(purpose)).update(text).digest();
