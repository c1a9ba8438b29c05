import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const KEY_FORM = /^ork_([0-9A-Za-z]{32})([0-9a-f]{8})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Generates a key: `ork_`, 32 random base62 characters (190 bits) and their CRC32. The checksum rejects mistyped keys
 * without a query, and the format is one that secret scanners can recognize.
 */
export function generateKey(): string {
  let body = '';
  while (body.length < 32) {
    // 248 = 4 × 62: higher bytes would favour the first characters of the alphabet.
    for (const byte of randomBytes(48)) if (byte < 248 && body.length < 32) body += ALPHABET[byte % 62];
  }
  return `ork_${body}${checksum(body)}`;
}

/** True for text that has the form and the checksum of a key. */
export function isKeyText(text: string): boolean {
  const form = KEY_FORM.exec(text);
  return form?.[1] !== undefined && checksum(form[1]) === form[2];
}

const checksum = (body: string) => crc32(body).toString(16).padStart(8, '0');

/** Only this hash is stored. The key has 190 random bits, so a single round of SHA-256 is enough. */
export const hashOf = (key: string) => hash('sha256', key, 'buffer');
