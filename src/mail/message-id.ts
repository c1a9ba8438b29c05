import { withAsciiDomain } from '../core/email-address.ts';
import type { Sealer } from '../secrets/seal.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The local part of an email's Message-ID, the same for every attempt of one enrolment's step: 130 bits of an HMAC, so that
 * nobody else can make one that matches, as 26 characters of base32 (RFC 4648 §6, lower case).
 */
export function messageKey(sealer: Sealer, workspaceId: number, enrolmentId: number, stepId: number): string {
  const digest = sealer.sign('message-id', `${workspaceId}|${enrolmentId}|${stepId}`);
  let bits = 0n;
  for (const byte of digest.subarray(0, 17)) bits = (bits << 8n) | BigInt(byte);
  bits >>= 6n;
  let text = '';
  for (let index = 0; index < 26; index++) {
    text += ALPHABET[Number(bits & 31n)];
    bits >>= 5n;
  }
  return text;
}

/** The Message-ID with angle brackets (RFC 5322 §3.6.4), in the sender's domain as ASCII. */
export function messageIdOf(key: string, senderAddress: string): string {
  const ascii = withAsciiDomain(senderAddress);
  return `<${key}@${ascii.slice(ascii.lastIndexOf('@') + 1).toLowerCase()}>`;
}
