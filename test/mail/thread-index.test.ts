import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { keyOfBits } from '../../src/mail/message-id.ts';
import { referencesInThreadIndex, threadIndex } from '../../src/mail/thread-index.ts';

const REF = 'abcdefghijklmnopqrstuvwx23';
const START = new Date('2026-07-07T12:00:00Z');
const bytes = (index: string) => Buffer.from(index, 'base64');

describe('Thread-Index (MS-OXOMSG §2.2.1.3)', () => {
  it('begins with 0x01, five bytes of the time and sixteen of the conversation', () => {
    const index = bytes(threadIndex(REF, START, null));
    expect(index).toHaveLength(22);
    // The six high bytes of a FILETIME.
    const ms = (Number(index.readUIntBE(0, 6)) * 2 ** 16) / 10_000 - 11_644_473_600_000;
    expect([index[0], Math.abs(ms - START.getTime()) < 10]).toEqual([1, true]);
  });

  it('of a follow-up is that of the first email and five bytes, of which four are the time since', () => {
    const [first, next, later] = [null, new Date(START.getTime() + 3 * DAY), new Date(START.getTime() + 2_000 * DAY)].map((at) =>
      bytes(threadIndex(REF, START, at)),
    ) as [Buffer, Buffer, Buffer];
    expect([next.length, next.subarray(0, 22)]).toEqual([27, first]);
    expect(Math.abs((next.readUInt32BE(22) * 2 ** 18) / 10_000 - 3 * DAY)).toBeLessThan(30);
    // Longer than 1.7 years: the first bit says that the time is in coarser units.
    expect(Math.abs(((later.readUInt32BE(22) - 2 ** 31) * 2 ** 23) / 10_000 - 2_000 * DAY)).toBeLessThan(1_000);
  });

  it('gives the reference back, whatever was added to it; nothing else does', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 130n) - 1n), fc.uint8Array({ maxLength: 40 }), (bits, more) => {
        const index = Buffer.concat([bytes(threadIndex(keyOfBits(bits), START, null)), more]).toString('base64');
        expect(referencesInThreadIndex(index.replace(/^.{9}/, '$&\r\n '))).toContain(keyOfBits(bits));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => [0, 4].includes(referencesInThreadIndex(text).length)));
    expect(referencesInThreadIndex('AQAAAA==')).toEqual([]);
  });
});
