import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { classifyRaw, type MessageReaders, VERDICTS } from '../../src/mail/classify/index.ts';

/** Processor time, so that a busy machine does not fail the test. */
const MAX_SECONDS = 5;
const CORPUS = join(import.meta.dirname, '../../../shared/corpus');
/** Public malformed mail beside the checkout, if it is there. */
const MALFORMED = join(CORPUS, 'malformed-mime');

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

/** Pieces that break parsers, to insert anywhere. */
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

/** Reads public mail beside the checkout, if it is there. */
function publicMail(): Buffer[] {
  if (!existsSync(CORPUS)) return [];
  return readdirSync(CORPUS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(eml|txt|msg)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
}

/** Classifies a message. Fails if that throws, takes long, or returns something that no caller expects. */
export async function check(raw: Buffer, name: string): Promise<void> {
  const begin = process.cpuUsage();
  const { message, result } = await classifyRaw(raw).catch((error: unknown) => {
    throw new Error(`${name}: ${JSON.stringify(raw.toString('latin1').slice(0, 3_000))}`, { cause: error });
  });
  const { user, system } = process.cpuUsage(begin);
  const seconds = (user + system) / 1_000_000;
  expect(seconds, `${name} took ${seconds} s`).toBeLessThan(MAX_SECONDS);
  expect(VERDICTS).toContain(result.verdict);
  expect(result.reasons.length).toBeGreaterThan(0);
  if (result.until !== null) expect(result.until).toMatch(/^\d{4}-\d\d-\d\d$/);
  if (result.status !== null) expect(result.status).toMatch(/^[245]\.\d{1,3}\.\d{1,3}$/);
  if (result.recipient !== null) expect(result.recipient).toMatch(/^\S+@\S+$/u);
  expect(message.text.length).toBeLessThanOrEqual(100_000);
}

/** Reads names and contents of public malformed mail; none if it isn't there. */
export function malformed(): [string, Buffer][] {
  if (!existsSync(MALFORMED)) return [];
  return readdirSync(MALFORMED, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name))]);
}

/**
 * Yields mutated messages, the same ones for the same seed: every third of a report, a reply or one of `others` in turn, and the rest of a
 * report or a reply.
 */
function* mutated(runs: number, seed: number, others: readonly Buffer[]): Generator<Buffer> {
  const random = seededRandom(seed);
  const seeds = [Buffer.from(DSN), Buffer.from(REPLY), ...others.map((raw) => raw.subarray(0, 30_000))];
  for (let run = 0; run < runs; run++) yield mutate(seeds[run % 3 === 0 ? run % seeds.length : run % 2] as Buffer, random);
}

/** Classifies that many mutated messages. */
export async function checkMutated(runs: number, seed: number): Promise<void> {
  let run = 0;
  const others = malformed().map(([, raw]) => raw);
  for (const raw of mutated(runs, seed, others)) await check(raw, `run ${run++} of seed ${seed}`);
}

/** Has that many mutated messages read in other processes, in batches as a poll sends them. Fails if a message breaks its reader. */
export async function checkMutatedInReaders(readers: MessageReaders, runs: number, seed: number): Promise<void> {
  const batch: Buffer[] = [];
  let run = 0;
  const read = async () => {
    const raws = batch.splice(0);
    for (const [index, outcome] of (await readers.read(1, raws)).entries()) {
      const what = () =>
        `run ${run - raws.length + index} of seed ${seed}: ${JSON.stringify(raws[index]?.toString('latin1').slice(0, 3_000))}`;
      if ('reason' in outcome) throw new Error(`${outcome.reason}: ${what()}`);
      expect(VERDICTS, what()).toContain(outcome.result.verdict);
    }
  };
  for (const raw of mutated(runs, seed, publicMail())) {
    run++;
    if (batch.push(raw) === 16) await read();
  }
  await read();
}
