import { afterAll, describe, expect, it } from 'vitest';
import { classifyRaw, MessageReaders } from '../../../src/mail/classify/index.ts';
import { checkMutatedInReaders } from '../../support/mutated-mail.ts';

const WORKSPACE = 1;
const header = 'Message-ID: <a@b.example>\r\nFrom: Ada <ada@b.example>\r\nSubject: Re: Hello\r\n';
const reply = Buffer.from(`${header}\r\nYes, let us talk.`);
const bounce = Buffer.from(
  [
    'Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example\r\nSubject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status',
    '\r\nFinal-Recipient: rfc822; ada@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n',
    '--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <ours@example.com>\r\nFrom: zoe@example.com\r\nTo: ada@b.example',
    'Subject: Hello\r\nDate: Tue, 7 Jul 2026 12:00:00 +0000\r\n\r\n--b--',
  ].join('\r\n'),
);
/** A message that is short enough to be read again as a whole. */
const manyParts = Buffer.from(`${header}Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\n${'a:\n'.repeat(5)}\n`.repeat(2_850)}`);
const emptyLines = Buffer.from(`${header}\r\n${'\n'.repeat(1 << 20)}`);
const removal = 'Please remove me from your list.\r\n\r\n';

const made: MessageReaders[] = [];
function readers(limits: Partial<{ megabytes: number; seconds: number; readers: number }> = {}): MessageReaders {
  const all = new MessageReaders({ megabytes: 128, seconds: 20, readers: 2, ...limits });
  made.push(all);
  return all;
}
afterAll(() => {
  for (const each of made) each.close();
});

describe('messages are read in a process of their own', () => {
  it('with the outcome of reading them here, in their order', async () => {
    const [first, second] = await readers().read(WORKSPACE, [reply, bounce]);
    for (const [raw, outcome, messageId] of [
      [reply, first, '<a@b.example>'],
      [bounce, second, expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
    ] as const) {
      const { message, result } = await classifyRaw(raw);
      expect(outcome).toMatchObject({ mail: { from: message.from, subject: message.subject }, result, messageId });
    }
  });

  it('one that takes too much memory is told and costs its neighbours nothing, nor this process', async () => {
    const before = process.memoryUsage().rss;
    const outcomes = await readers({ megabytes: 16 }).read(WORKSPACE, [reply, manyParts, bounce]);
    expect(outcomes).toMatchObject([
      { result: { verdict: 'reply' } },
      { reason: 'reading it takes more than 16 MB of memory' },
      { result: { verdict: 'hard_bounce' } },
    ]);
    expect(outcomes[1]).not.toHaveProperty('result');
    expect((process.memoryUsage().rss - before) / (1 << 20)).toBeLessThan(50);
  });

  it('one that takes too long is told, and its reader does not go on with it', async () => {
    expect(await readers({ seconds: 0.01 }).read(WORKSPACE, [manyParts])).toEqual([{ reason: 'reading it takes more than 0.01 s' }]);
    expect(await readers().read(WORKSPACE, [reply])).toMatchObject([{ result: { verdict: 'reply' } }]);
  });

  it('of one that breaks its reader, the beginning is read: a removal request stands there', async () => {
    const quote = `On Tuesday, 7 July 2026, Zoe wrote:\r\n${`> ${'x '.repeat(400)}\r\n`.repeat(90)}`;
    const hugeField = `--b\r\nContent-Type: text/plain; name=${'x'.repeat(1_000_000)}\r\n\r\n`;
    const raw = Buffer.from(`${header}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${removal}${quote}${hugeField}`);
    expect(await readers({ megabytes: 20 }).read(WORKSPACE, [raw])).toMatchObject([
      { result: { verdict: 'unsubscribe_request' }, reason: 'reading it takes more than 20 MB of memory', messageId: '<a@b.example>' },
    ]);
  });

  it('of mutated messages none breaks its reader', { timeout: 120_000 }, async () => {
    // test/soak/inbound.test.ts reads many more.
    await checkMutatedInReaders(readers(), 150, 20_261_122);
  });

  it('a reader that is gone is replaced', async () => {
    const all = readers();
    await all.read(WORKSPACE, [reply]);
    all.close();
    expect(await all.read(WORKSPACE, [reply])).toMatchObject([{ result: { verdict: 'reply' } }]);
  });
});

describe('the limits of a message', () => {
  it('hold before it is parsed: what made a gigabyte of a megabyte, or took fifteen seconds, takes less than a reader has', async () => {
    const statusPart = `--b\r\nContent-Type: message/delivery-status\r\n\r\n${'\n'.repeat(200_000)}`;
    const report = Buffer.from(
      `${header}MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n${statusPart.repeat(5)}--b--`,
    );
    const outcomes = await readers().read(WORKSPACE, [emptyLines, report, reply]);
    for (const outcome of outcomes) expect(outcome).not.toHaveProperty('reason');
  });

  it('leave the beginning of a message with too many lines', async () => {
    const { result } = await classifyRaw(Buffer.from(`${header}\r\n${removal}${'\r\n'.repeat(200_000)}`));
    expect(result.verdict).toBe('unsubscribe_request');
  });
});
