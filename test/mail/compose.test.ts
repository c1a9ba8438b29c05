import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { composeMessage, type Draft, UnsafeHeaderError } from '../../src/mail/compose.ts';
import { messageIdOf, messageKey } from '../../src/mail/message-id.ts';
import { textOf } from '../../src/mail/text-alternative.ts';
import { createSealer } from '../../src/secrets/seal.ts';

const draft = (over: Partial<Draft> = {}): Draft => ({
  from: { name: 'Zoë Sender', address: 'zoe@example.com' },
  to: { name: 'Jörg Müller', address: 'joerg@example.org' },
  replyTo: null,
  subject: 'Grüße aus Köln',
  html: '<p>Hello <b>Jörg</b>, see <a href="https://example.net/a?b=1&amp;c=2">this</a>.</p>',
  messageId: '<abc@example.com>',
  reference: 'abc',
  inReplyTo: null,
  references: [],
  date: new Date('2026-07-07T12:00:00Z'),
  timezone: 'Asia/Kathmandu',
  headers: {},
  ...over,
});

const linesOf = (message: Buffer) => message.toString('latin1').split('\r\n');

describe('the text alternative shows where a link leads, once', () => {
  const tracked = 'https://go.acme.example/c/abcdef';
  it.each([
    [`<a href="${tracked}">https://acme.example/fair</a>`, 'https://acme.example/fair'],
    [`<a href="${tracked}">www.acme.example</a>`, 'www.acme.example'],
    [`<a href="${tracked}">the fair</a>`, `the fair [${tracked}]`],
    ['<a href="https://a.example/Tom%20Inc">https://a.example/Tom Inc</a>', 'https://a.example/Tom%20Inc'],
    ['<a href="https://www.a.example/%22Tom%22%20Inc/x">www.a.example/&quot;Tom&quot; Inc/x</a>', 'www.a.example/%22Tom%22%20Inc/x'],
    ['<a href="https://a.example/Tom%20Inc">Tom Inc</a>', 'Tom Inc [https://a.example/Tom%20Inc]'],
    ['<a href="mailto:a@acme.example?subject=stop">mailto:a@acme.example?subject=stop</a>', 'mailto:a@acme.example?subject=stop'],
    ['<a href="mailto:a@acme.example?subject=stop">Unsubscribe</a>', 'Unsubscribe [mailto:a@acme.example?subject=stop]'],
    ['<a href="mailto:a@acme.example">a@acme.example</a>', 'a@acme.example'],
    ['<a href="https://a.example"><img src="x.png" alt="x"></a>', 'https://a.example'],
    ['<a>plain</a>', 'plain'],
  ])('%s', (html, text) => expect(textOf(html)).toBe(text));
});

describe('a composed email', () => {
  it('carries one From, one To, the Message-ID it was given, and the Date in the zone of the account', async () => {
    const message = composeMessage(draft()).toString();
    expect(message.match(/^From:/gm)).toHaveLength(1);
    expect(message.match(/^To:/gm)).toHaveLength(1);
    expect(message).toContain('Message-ID: <abc@example.com>');
    expect(message).toContain('Date: Tue, 07 Jul 2026 17:45:00 +0545');
    expect(message).toContain('X-Entity-Ref-ID: abc');
  });

  it.each([
    '=?utf-8?Q?injected?=',
    `Dr. =?iso-8859-1?q?x?= ${'of the long name '.repeat(5)}"Ada" =?UTF-8?B?eA==?=`,
  ])('what was typed like an encoded word is read as it was typed: %s', async (typed) => {
    const message = composeMessage(
      draft({ from: { name: typed, address: 'a@x.example' }, to: { name: typed, address: 'b@bücher.example' }, subject: typed }),
    );
    const header = message.toString('latin1').split('\r\n\r\n')[0] ?? '';
    expect(header).not.toContain('=?utf-8?Q?injected?=');
    expect(header.split('\r\n').filter((line) => line.length > 78 && !line.startsWith('Content-Type'))).toEqual([]);
    const mail = await PostalMime.parse(message);
    expect([mail.from?.name, mail.to?.[0]?.name, mail.subject]).toEqual([typed, typed, typed]);
    expect(mail.to?.[0]?.address).toMatch(/^b@(bücher|xn--bcher-kva)\.example$/);
  });

  it('has HTML with a text alternative, both UTF-8, and reads back as it was written', async () => {
    const mail = await new PostalMime().parse(composeMessage(draft()));
    expect(mail.subject).toBe('Grüße aus Köln');
    expect(mail.from).toEqual({ name: 'Zoë Sender', address: 'zoe@example.com' });
    expect(mail.to).toEqual([{ name: 'Jörg Müller', address: 'joerg@example.org' }]);
    expect(mail.html).toContain('Hello <b>Jörg</b>');
    expect(mail.text?.trim()).toBe('Hello Jörg, see this [https://example.net/a?b=1&c=2].');
  });

  it('replies in the thread: In-Reply-To names the last email, References all of them in order', async () => {
    const message = composeMessage(draft({ inReplyTo: '<b@x>', references: ['<a@x>', '<b@x>'] }));
    const mail = await new PostalMime().parse(message);
    expect(mail.inReplyTo).toBe('<b@x>');
    expect(mail.references).toBe('<a@x> <b@x>');
  });

  it.each([
    'subject\r\nBcc: x@example.com',
    'line\nfeed',
    'carriage\rreturn',
    'nul\0',
    'sep\u2028arator',
  ])('CR or LF or a control character in a header value is refused, never repaired: %j', async (subject) => {
    expect(() => composeMessage(draft({ subject }))).toThrow(UnsafeHeaderError);
    expect(() => composeMessage(draft({ to: { name: subject, address: 'a@example.org' } }))).toThrow(UnsafeHeaderError);
  });

  it('reads back as it was written, line by line, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 20 }), async (lines) => {
        // A parser may change characters that SMTP or HTML do not preserve: line ends, which SMTP normalizes, and NUL, which HTML does not
        // have.
        const html = lines.map((line) => `<pre>${line.replaceAll(/[\r\n\0]/g, ' ')}</pre>`).join('\n');
        const mail = await new PostalMime().parse(composeMessage(draft({ html })));
        expect(mail.html?.trimEnd()).toBe(html);
      }),
      { numRuns: 60 },
    );
  });

  it('has no bare CR or LF, no text line beyond 76 octets and none beyond 998, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.string({ unit: 'grapheme', maxLength: 3_000 }),
        async (name, html) => {
          const safe = name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
          const message = composeMessage(draft({ subject: safe, to: { name: safe, address: 'a@example.org' }, html: `<p>${html}</p>` }));
          expect(/[^\r]\n|\r[^\n]/.test(message.toString('latin1'))).toBe(false);
          const lines = linesOf(message);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(998);
          for (const line of lines.slice(lines.indexOf('') + 1)) expect(line.length).toBeLessThanOrEqual(76);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the Message-ID', () => {
  const sealer = createSealer('dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQ');

  it('is deterministic per enrolment and step, in the domain of the sender', () => {
    const key = messageKey(sealer, 1, 2, 3);
    expect(key).toBe(messageKey(sealer, 1, 2, 3));
    expect(messageIdOf(key, 'Zoe@Example.COM')).toMatch(/^<[a-z2-7]{26}@example\.com>$/);
    // A header field must be ASCII (RFC 5322 §2.2).
    expect(messageIdOf(key, 'zoe@Bücher.example')).toMatch(/^<[a-z2-7]{26}@xn--bcher-kva\.example>$/);
  });

  it('differs for every enrolment, step and workspace', () => {
    const keys = new Set<string>();
    for (let a = 1; a <= 10; a++) for (let b = 1; b <= 10; b++) for (let c = 1; c <= 10; c++) keys.add(messageKey(sealer, a, b, c));
    expect(keys.size).toBe(1_000);
  });
});

describe('the text alternative', () => {
  it('shows links with their address and no images', () => {
    expect(textOf('<p>a</p><img src="https://t.example/x.gif"><a href="https://e.example">https://e.example</a>')).toBe(
      'a\n\nhttps://e.example',
    );
  });
});

describe('the text alternative is what a person would type', () => {
  it.each([
    ['no capitals', '<h1>Grüße aus Straßburg, İnce</h1><h3>Code aBc123</h3>', 'Grüße aus Straßburg, İnce\n\n\nCode aBc123'],
    ['cells apart', '<table><tr><th>Seat</th><th>Price</th></tr><tr><td>One</td><td>10</td></tr></table>', 'Seat Price\nOne 10'],
    ['nothing hidden', '<div style="display:none;max-height:0">Preview words</div><p hidden>x</p><p>Hello</p>', 'Hello'],
    ['mailto kept', '<p>Write to <a href="mailto:zoe@example.com">me</a></p>', 'Write to me [mailto:zoe@example.com]'],
  ])('%s', (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });
});
