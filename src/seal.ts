import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * Seals credentials with AES-256-GCM and signs tokens, under keys derived from the installation's one secret.
 * `place` (table, column and row) is authenticated with the text, so that a sealed value copied to another row
 * does not open there (NIST SP 800-38D; OWASP Cryptographic Storage).
 */
export interface Sealer {
  /** Eight hex digits that name the secret, stored with each sealed value. */
  readonly keyId: string;
  seal(plain: string, place: string): string;
  /** Throws when the value was sealed under another secret, for another place, or was changed. */
  open(sealed: string, place: string): string;
  /** HMAC-SHA256 of the text under a key of its own for each purpose. */
  sign(purpose: string, text: string): Buffer;
}

/** @param secret the secret of the installation, 32 bytes as base64url */
export function createSealer(secret: string): Sealer {
  const root = Buffer.from(secret, 'base64url');
  if (root.length < 32) throw new Error('the secret key must be at least 32 bytes, written as base64url');
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', root, '', `outreach ${purpose}`, 32));
  const sealingKey = derive('seal');
  const keyId = createHash('sha256').update(derive('key id')).digest('hex').slice(0, 8);
  const signingKeys = new Map<string, Buffer>();

  return {
    keyId,
    seal(plain, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(`${VERSION}|${keyId}|${place}`));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, keyId, ...[nonce, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join(':');
    },
    open(sealed, place) {
      const [version, sealedUnder, nonce, text, tag] = sealed.split(':');
      if (version !== VERSION || nonce === undefined || text === undefined || tag === undefined) throw new Error('not a sealed value');
      if (sealedUnder !== keyId)
        throw new Error('sealed under another secret key; restore OUTREACH_SECRET_KEY or the secret file it came from');
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(`${VERSION}|${keyId}|${place}`));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    },
    sign(purpose, text) {
      let key = signingKeys.get(purpose);
      if (key === undefined) {
        key = derive(`sign ${purpose}`);
        signingKeys.set(purpose, key);
      }
      return createHmac('sha256', key).update(text).digest();
    },
  };
}
