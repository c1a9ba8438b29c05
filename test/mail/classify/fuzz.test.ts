import { describe, it } from 'vitest';
import { classifyRaw } from '../../../src/mail/classify/index.ts';
import { check, checkMutated, malformed } from '../../support/mutated-mail.ts';
import { runs } from '../../support/runs.ts';

/** Number of mutated messages. FUZZ_SEED replays a run with another seed; test/soak/inbound.test.ts makes 100,000 runs. */
const RUNS = Number(process.env.FUZZ_RUNS ?? runs(100, 400));
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
/** Bytes between the positions at which a message is truncated. */
const EVERY = runs(3_989, 997);

describe('a malformed message', () => {
  it(`of ${RUNS} mutated ones (seed ${SEED}) none throws, hangs or gives nonsense`, { timeout: 3_600_000 }, async () => {
    await checkMutated(RUNS, SEED);
  });

  it.skipIf(malformed().length === 0)('of public collections: none throws, whole or cut anywhere', async () => {
    for (const [name, raw] of malformed()) {
      await check(raw, name);
      for (let end = 97; end < Math.min(raw.length, 20_000); end += EVERY) await check(raw.subarray(0, end), `${name} cut at ${end}`);
    }
  });

  const header = 'From: a@b.example\r\nSubject: x\r\n';
  const deep = (count: number, type: string) =>
    Array.from({ length: count }, (_, n) => `Content-Type: ${type}; boundary=b${n}\r\n\r\n--b${n}\r\n`).join('');
  it.each<[string, () => Buffer | string]>([
    ['nothing', () => ''],
    ['one megabyte without a line end', () => 'x'.repeat(1 << 20)],
    ['a header line of a megabyte', () => `${header}X: ${'y'.repeat(1 << 20)}\r\n\r\nHi`],
    ['a hundred thousand header fields', () => `${header}${'X-A: b\r\n'.repeat(100_000)}\r\nHi`],
    ['ten thousand nested multiparts', () => header + deep(10_000, 'multipart/mixed')],
    ['a thousand nested messages', () => header + 'Content-Type: message/rfc822\r\n\r\n'.repeat(1_000)],
    ['a hundred thousand parts', () => `${header}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`],
    ['a hundred thousand addresses', () => `${header}To: ${'a@b.example, '.repeat(100_000)}\r\n\r\nHi`],
    ['a megabyte of open tags', () => `${header}Content-Type: text/html\r\n\r\n${'<div><b><style>'.repeat(70_000)}`],
    ['a megabyte of quoted lines', () => `${header}\r\n${'> On Monday, x wrote:\r\n'.repeat(50_000)}`],
    ['a megabyte of introductions', () => `${header}\r\n${'On Monday 3 May at 5 \r\n'.repeat(50_000)}`],
    [
      'a megabyte of addresses',
      () => `Return-Path: <>\r\nFrom: postmaster@b.example\r\nSubject: Undeliverable\r\n\r\n${'<a@b.example>: failed\r\n'.repeat(45_000)}`,
    ],
    ['a megabyte of dates', () => `${header}Auto-Submitted: auto-replied\r\n\r\n${'until 1.1. - 2 May 2027, '.repeat(40_000)}`],
    ['a megabyte of spaces', () => `${header}Auto-Submitted: auto-replied\r\n\r\nuntil${' '.repeat(1 << 20)}x`],
    [
      'twenty-five megabytes of attachment',
      () =>
        `${header}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi\r\n--b\r\nContent-Type: application/x\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat(320_000)}--b--`,
    ],
  ])('%s', async (_, make) => {
    const raw = Buffer.from(make());
    await classifyRaw(raw.subarray(0, 10_000));
    await check(raw, 'bomb');
  });
});
