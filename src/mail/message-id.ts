import { addressKey, withAsciiDomain } from '../core/email-address.ts';
import type { Sealer } from '../secrets/seal.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;
const BITS_EACH = 5n;

/**
 * The local part of an email's Message-ID, the same for every attempt of one enrolment's step, or of what else `stepId` names: 130 bits of an HMAC, so that
 * nobody else can make one that matches, as 26 characters of base32 (RFC 4648 §6, lower case). It is the email's X-Entity-Ref-ID too.
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

const COPY_MARK_BYTES = 16;
const WITH_COPY_MARK = new RegExp(`^([${ALPHABET}]{${LENGTH}})([${ALPHABET}]{${LENGTH}})$`);
const copyText = (key: string, address: string): string => `${key}|${addressKey(address)}`;

/** The key of the copy of an email for this address: that of the email, and 128 bits of an HMAC, so that each copy has its own and shows whose it is. */
function copyKey(sealer: Sealer, key: string, address: string): string {
  const mark = sealer.sign('copy', copyText(key, address)).toString('hex', 0, COPY_MARK_BYTES);
  return `${key}${keyOfBits(BigInt(`0x${mark}`))}`;
}

/** The Message-ID of the copy for this address of the email with a Message-ID. */
export function copyId(sealer: Sealer, messageId: string, address: string): string {
  const key = keyInMessageId(messageId);
  return `<${copyKey(sealer, key, address)}${messageId.slice(1 + key.length)}`;
}

/** The key of the email of which a key is, or of which it is that of a copy. */
export const emailKeyIn = (key: string): string => WITH_COPY_MARK.exec(key)?.[1] ?? key;

/** The Message-ID of the email of which a Message-ID is, or of which it is that of a copy. */
export const emailIdIn = (messageId: string): string =>
  `<${emailKeyIn(keyInMessageId(messageId))}${messageId.slice(messageId.lastIndexOf('@'))}`;

/** True if a key has the form of that of a copy. */
export const isCopyKey = (key: string): boolean => WITH_COPY_MARK.test(key);

/** True if a key is that of the copy for this address. */
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

/** The key by which a conversation is named in Thread-Index: a copy is of one of its own. */
export const conversationKeyIn = (key: string): string => key.slice(-LENGTH);
