import { addressKey, withAsciiDomain } from '../core/email-address.ts';
import type { Sealer } from '../secrets/seal.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;
const BITS_EACH = 5n;

/**
 * Returns the local part of an email's Message-ID. It is the same for every attempt to send one step of an enrolment, or whatever else
 * `stepId` names. It is 130 bits of an HMAC, which nobody else can forge, as 26 characters of base32 (RFC 4648 §6, lower case). It is also
 * the email's X-Entity-Ref-ID.
 */
export function messageKey(sealer: Sealer, workspaceId: number, enrolmentId: number, stepId: number | string): string {
  const digest = sealer.sign('message-id', `${workspaceId}|${enrolmentId}|${stepId}`);
  return keyOfBits(BigInt(`0x${digest.toString('hex', 0, 17)}`) >> 6n);
}

/** Encodes 130 bits as a key. The lowest five bits are the first character. */
export const keyOfBits = (bits: bigint): string =>
  [...bits.toString(32).padStart(LENGTH, '0')]
    .map((digit) => ALPHABET[Number.parseInt(digit, 32)])
    .reverse()
    .join('');

/** Decodes a key into its bits: the inverse of `keyOfBits`. */
export const bitsOfKey = (key: string): bigint =>
  [...key].reduceRight((bits, character) => (bits << BITS_EACH) | BigInt(Math.max(0, ALPHABET.indexOf(character))), 0n);

/** Returns the Message-ID with angle brackets (RFC 5322 §3.6.4), in the sender's domain, as ASCII. */
export function messageIdOf(key: string, senderAddress: string): string {
  const ascii = withAsciiDomain(senderAddress);
  return `<${key}@${ascii.slice(ascii.lastIndexOf('@') + 1).toLowerCase()}>`;
}

/** Returns the key in a Message-ID of ours. */
export const keyInMessageId = (messageId: string): string => messageId.slice(1, messageId.lastIndexOf('@'));

const COPY_MARK_BYTES = 16;
const WITH_COPY_MARK = new RegExp(`^([${ALPHABET}]{${LENGTH}})([${ALPHABET}]{${LENGTH}})$`);
const copyText = (key: string, address: string): string => `${key}|${addressKey(address)}`;

/**
 * Returns the key of the copy of an email for this address: the email's key and 128 bits of an HMAC, which identify the recipient of the
 * copy.
 */
function copyKey(sealer: Sealer, key: string, address: string): string {
  const mark = sealer.sign('copy', copyText(key, address)).toString('hex', 0, COPY_MARK_BYTES);
  return `${key}${keyOfBits(BigInt(`0x${mark}`))}`;
}

/** Returns the Message-ID of the copy for this address. @param messageId of the email */
export function copyId(sealer: Sealer, messageId: string, address: string): string {
  const key = keyInMessageId(messageId);
  return `<${copyKey(sealer, key, address)}${messageId.slice(1 + key.length)}`;
}

/** Returns the key of the email, for its own key or for the key of one of its copies. */
export const emailKeyIn = (key: string): string => WITH_COPY_MARK.exec(key)?.[1] ?? key;

/** Returns the Message-ID of the email, for its own Message-ID or for that of one of its copies. */
export const emailIdIn = (messageId: string): string =>
  `<${emailKeyIn(keyInMessageId(messageId))}${messageId.slice(messageId.lastIndexOf('@'))}`;

/** True if a key has the form of a copy's key. */
export const isCopyKey = (key: string): boolean => WITH_COPY_MARK.test(key);

/** True if a key belongs to the copy for this address. */
export function isCopyFor(sealer: Sealer, key: string, address: string): boolean {
  const [, emailKey = '', mark = ''] = WITH_COPY_MARK.exec(key) ?? [];
  if (mark === '') return false;
  const signature = Buffer.from(
    BigInt.asUintN(8 * COPY_MARK_BYTES, bitsOfKey(mark))
      .toString(16)
      .padStart(2 * COPY_MARK_BYTES, '0'),
    'hex',
  );
  return sealer.verify('copy', copyText(emailKey, address), signature);
}

/** Returns the key that names a conversation in Thread-Index. A copy has a conversation of its own. */
export const conversationKeyIn = (key: string): string => key.slice(-LENGTH);
