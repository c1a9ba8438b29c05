import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/mail/classify/read-message.ts';
import { message } from '../../support/inbound-mail.ts';

const INNER = ['From: Ada <ada@recipient.example>', 'To: zoe@example.com', 'Subject: Re: Hello', 'Message-ID: <answer@recipient.example>'];
const ANSWER = ['In-Reply-To: <abc@example.com>', 'Date: Tue, 7 Jul 2026 09:00:00 +0000', '', 'Yes, let us talk.'];

/** Returns a message with another one attached, in the form in which SpamAssassin delivers suspected spam (`report_safe 1`). */
const wrapped = (headers: Record<string, string>, attached: readonly string[]) =>
  message({ From: 'Ada <ada@recipient.example>', Subject: 'Re: Hello', 'Content-Type': 'multipart/mixed; boundary=x', ...headers }, [
    ...['--x', 'Content-Type: text/plain', '', 'Spam detection software has identified this email as possible spam.'],
    ...['--x', 'Content-Type: message/rfc822', '', ...attached, '--x--'],
  ]);

describe('a message that only wraps another one, of its sender and with its date or Message-ID', () => {
  it.each([
    ['Message-ID', { 'Message-ID': '<answer@recipient.example>' }],
    ['Date', { Date: 'Tue, 7 Jul 2026 09:00:00 +0000' }],
  ])('is read as that one: %s', async (_, headers) => {
    const { result, messageId } = await readMessage(Buffer.from(wrapped(headers, [...INNER, ...ANSWER])));
    expect(result).toMatchObject({ verdict: 'reply', ownText: 'Yes, let us talk.', originalMessageIds: ['<abc@example.com>'] });
    expect(messageId).toBe('<answer@recipient.example>');
  });

  it('keeps the envelope that stands outside', async () => {
    const notice = [
      'From: MAILER-DAEMON@mx.example',
      'Message-ID: <n@mx.example>',
      'Subject: Hello',
      '',
      'ada@recipient.example: no such user',
    ];
    const outside = { From: 'MAILER-DAEMON@mx.example', 'Message-ID': '<n@mx.example>', 'Return-Path': '<>' };
    const { result } = await readMessage(Buffer.from(wrapped(outside, notice)));
    expect(result).toMatchObject({ verdict: 'hard_bounce', recipient: 'ada@recipient.example' });
    expect(result.reasons).toContain('empty envelope sender');
  });

  it('is itself where its author attached an older message of theirs', async () => {
    const older = [...INNER, 'Date: Mon, 6 Jul 2026 09:00:00 +0000', '', 'Please remove me from your list.'];
    const { result } = await readMessage(Buffer.from(wrapped({}, older)));
    expect(result).toMatchObject({ verdict: 'reply', ownText: expect.stringContaining('Spam detection software') });
  });
});
