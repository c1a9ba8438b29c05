import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classifyRaw, VERDICTS } from '../../src/polling/classify/index.ts';
import { type Random, seededRandom } from '../../src/random.ts';

/** Set FUZZ_RUNS to 100000 for the long run, FUZZ_SEED to replay one. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1_500);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
/** Of processor time, so that a busy machine fails nothing. */
const MOST_SECONDS = 5;
const MALFORMED = join(import.meta.dirname, '../../../shared/corpus/malformed-mime');

const DSN = [
  'Return-Path: <>',
  'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
  'To: zoe@example.com',
  'Subject: =?utf-8?Q?Undelivered_Mail_Returned_to_Sender?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"',
  '',
  '--=_b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<ada@recipient.example>: host mx[192.0.2.1] said: 550 5.1.1 User unknown',
  '--=_b',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example',
  '',
  'Final-Recipient: rfc822; ada@recipient.example',
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
  '',
  '--=_b',
  'Content-Type: message/rfc822',
  '',
  'Message-ID: <abc@example.com>',
  'Subject: Hello',
  '',
  'Hi',
  '--=_b--',
].join('\r\n');

const REPLY = [
  'From: "Lovelace, Ada" <ada@recipient.example>',
  'Subject: Re: Hello',
  'In-Reply-To: <abc@example.com>',
  'Content-Type: multipart/alternative; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain; charset=iso-2022-jp',
  'Content-Transfer-Encoding: base64',
  '',
  'SSBhbSBvdXQgb2YgdGhlIG9mZmljZSB1bnRpbCA1IEphbnVhcnkgMjAyNy4=',
  '--x',
  'Content-Type: text/html',
  '',
  '<p>Yes</p><blockquote>Am 3. Januar schrieb Zoe &lt;zoe@example.com&gt;:<br>Hi</blockquote>',
  '--x--',
].join('\r\n');

/** What breaks parsers: each a piece to put anywhere. */
const PIECES = [
  '\0', '\r', '\n\n', '--=_b\r\n', '--x--', '<', '>', '@', '"', '\\', '=?utf-8?B?////?=', '=?x?Q?=00?=', '=', '=\r\n', '\u00ff', '\ud800',
  'Content-Type: message/rfc822\r\n\r\n', 'Content-Type: multipart/mixed; boundary=x\r\n', 'Final-Recipient: rfc822; ', 'Status: 9.9.9\r\n',
  'On Monday, a <a@b> wrote:\r\n', '> '.repeat(200), 'a@'.repeat(300), '('.repeat(2_000), '<div>'.repeat(500), '&nbsp;'.repeat(500),
  'Received: from x\r\n'.repeat(100), ' '.repeat(5_000), `${'x'.repeat(20_000)}`, 'until '.repeat(300), '1.1.'.repeat(500),
]; // biome-ignore format: a table

function mutate(source: Buffer, random: Random): Buffer {
  let bytes = source;
  for (let count = random.integer(1, 6); count > 0; count--) {
    const at = random.integer(0, bytes.length);
    const to = Math.min(bytes.length, at + random.integer(0, 400));
    const piece = Buffer.from(PIECES[random.integer(0, PIECES.length - 1)] ?? '', 'utf8');
    const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
    const flipped = Buffer.from(middle.map((byte) => byte ^ (1 << random.integer(0, 7))));
    const how = [
      () => [head],
      () => [head, tail],
      () => [head, piece, bytes.subarray(at)],
      () => [head, middle, middle, tail],
      () => [head, flipped, tail],
      () => [tail, head],
    ];
    bytes = Buffer.concat((how[random.integer(0, how.length - 1)] as () => Buffer[])()).subarray(0, 300_000);
  }
  return bytes;
}

async function check(raw: Buffer, name: string): Promise<void> {
  const begin = process.cpuUsage();
  const { mail, result } = await classifyRaw(raw).catch((error: unknown) => {
    throw new Error(`${name}: ${JSON.stringify(raw.toString('latin1').slice(0, 3_000))}`, { cause: error });
  });
  const { user, system } = process.cpuUsage(begin);
  const seconds = (user + system) / 1_000_000;
  expect(seconds, `${name} took ${seconds} s`).toBeLessThan(MOST_SECONDS);
  expect(VERDICTS).toContain(result.verdict);
  expect(result.reasons.length).toBeGreaterThan(0);
  if (result.until !== null) expect(result.until).toMatch(/^\d{4}-\d\d-\d\d$/);
  if (result.status !== null) expect(result.status).toMatch(/^[245]\.\d{1,3}\.\d{1,3}$/);
  if (result.recipient !== null) expect(result.recipient).toMatch(/^\S+@\S+$/u);
  expect(mail.text.length).toBeLessThanOrEqual(100_000);
}

function malformed(): [string, Buffer][] {
  if (!existsSync(MALFORMED)) return [];
  return readdirSync(MALFORMED, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]);
}

describe('a malformed message', () => {
  it(`of ${RUNS} mutated ones (seed ${SEED}) none throws, hangs or gives nonsense`, { timeout: 3_600_000 }, async () => {
    const random = seededRandom(SEED);
    const seeds = [Buffer.from(DSN), Buffer.from(REPLY), ...malformed().map(([, raw]) => raw.subarray(0, 30_000))];
    for (let run = 0; run < RUNS; run++)
      await check(mutate(seeds[run % 3 === 0 ? run % seeds.length : run % 2] as Buffer, random), `run ${run} of seed ${SEED}`);
  });

  it.skipIf(malformed().length === 0)('of public collections: none throws, whole or cut anywhere', { timeout: 120_000 }, async () => {
    for (const [name, raw] of malformed()) {
      await check(raw, name);
      for (let end = 97; end < Math.min(raw.length, 20_000); end += 997) await check(raw.subarray(0, end), `${name} cut at ${end}`);
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
  ])('%s', { timeout: 60_000 }, async (_, make) => {
    const raw = Buffer.from(make());
    await classifyRaw(raw.subarray(0, 10_000));
    await check(raw, 'bomb');
  });
});
