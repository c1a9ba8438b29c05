import { bitsOfKey, keyOfBits } from './message-id.ts';

/** A header block: 0x01, five bytes of the time, sixteen bytes that name the conversation (MS-OXOMSG §2.2.1.3). */
const HEADER_BYTES = 22;
const NAME_AT = 6;
const NAME_BITS = 128;
const MAX_LENGTH = 1_000;
/** FILETIME counts units of 100 ns from 1601. */
const UNITS_PER_MS = 10_000n;
const MS_BEFORE_1970 = 11_644_473_600_000n;

const filetime = (at: Date): bigint => (BigInt(at.getTime()) + MS_BEFORE_1970) * UNITS_PER_MS;

/**
 * Returns the Thread-Index of an email, in base64, by which Outlook and Exchange group a conversation. The X-Entity-Ref-ID of the first
 * email, less two bits, names the conversation. Nobody else can forge it, so a message with it provably belongs to the conversation.
 * @param reference X-Entity-Ref-ID of the first email
 * @param start the same instant for each email of the conversation
 * @param at the date of a follow-up; null for the first email
 */
export function threadIndex(reference: string, start: Date, at: Date | null): string {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeBigUInt64BE(filetime(start));
  const name = BigInt.asUintN(NAME_BITS, bitsOfKey(reference));
  header.write(name.toString(16).padStart(NAME_BITS / 4, '0'), NAME_AT, 'hex');
  return Buffer.concat(at === null ? [header] : [header, childBlock(filetime(at) - filetime(start))]).toString('base64');
}

/**
 * Returns a child block: the time since the start, without the bits that do not fit, and a byte that is 0, since no siblings need telling
 * apart.
 */
function childBlock(since: bigint): Buffer {
  const delta = since < 0n ? 0n : since;
  const isLong = delta >> 49n !== 0n;
  const block = Buffer.alloc(5);
  block.writeUInt32BE(Number(isLong ? 0x8000_0000n | BigInt.asUintN(31, delta >> 23n) : delta >> 18n));
  return block;
}

/** Returns the four possible references of the conversation in a Thread-Index, because two bits are missing; none if it is malformed. */
export function referencesInThreadIndex(index: string): string[] {
  const bytes = Buffer.from(index.slice(0, MAX_LENGTH).replaceAll(/\s/g, ''), 'base64');
  if (bytes.length < HEADER_BYTES || bytes[0] !== 1) return [];
  const name = BigInt(`0x${bytes.toString('hex', NAME_AT, HEADER_BYTES)}`);
  return [0n, 1n, 2n, 3n].map((missing) => keyOfBits((missing << BigInt(NAME_BITS)) | name));
}
