import { withAsciiDomain } from '../core/email-address.ts';
import type { Sealer } from '../secrets/seal.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;
const BITS_EACH = 5n;

/**
 * The local part of an email's Message-ID, the same for every attempt of one enrolment's step, or of what else `stepId` names: 130 bits of an HMAC, so that
 * nobody else can make one that matches, as 26 characters of base32 (RFC 4648 §6, lower case). It is the email's X-Outreach-Ref too.
 */
export function messageKey(sealer: Sealer, workspaceId: number, enrolmentId: number, stepId: number | string): string {
  const digest = sealer.sign('message-id', `${workspaceId}|${enrolmentId}|${stepId}`);
  return keyOfBits(BigInt(`0x${digest.toString('hex', 0, 17)}`) >> 6n);
}

/** The key of 130 bits; the lowest five are the first character. */
export const keyOfBits = (bits: bigint): string =>
  [...bits.toString(32).padStart(LENGTH, '0')]
    .map((digit) => ALPHABET[Number.parseInt(digit, 32)])
    .reverse()
    .join('');

/** The bits of a key, as `keyOfBits` takes them. */
export const bitsOfKey = (key: string): bigint =>
  [...key].reduceRight((bits, character) => (bits << BITS_EACH) | BigInt(Math.max(0, ALPHABET.indexOf(character))), 0n);

/** The Message-ID with angle brackets (RFC 5322 §3.6.4), in the sender's domain as ASCII. */
export function messageIdOf(key: string, senderAddress: string): string {
  const ascii = withAsciiDomain(senderAddress);
  return `<${key}@${ascii.slice(ascii.lastIndexOf('@') + 1).toLowerCase()}>`;
}

/** The key in a Message-ID of ours. */
export const keyInMessageId = (messageId: string): string => messageId.slice(1, messageId.lastIndexOf('@'));
