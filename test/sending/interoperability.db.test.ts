import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { setAccount, setDkim } from '../../src/accounts/index.ts';
import { DAY } from '../../src/core/clock.ts';
import type { DkimRecord } from '../../src/mail/dkim.ts';
import { afterFile } from '../support/after-file.ts';
import { testInstallation } from '../support/database.ts';
import { giveMailbox, startSender } from '../support/sender.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

/**
 * The first email of a campaign and its follow-up, with all features on, as the server receives them. They are checked against the RFCs'
 * grammar, with an independent MIME parser (postal-mime) and with an independent DKIM verifier (mailauth).
 */

interface Received {
  raw: string;
  head: string;
  body: string;
  /** Unfolded fields, in order. */
  fields: [name: string, value: string][];
  parsed: Email;
}

const SUBJECT = `Ärger über Größe ${'und 你好 مرحبا '.repeat(12).trim()}`;
const HTML = `<p>Grüße, {{name}} <a href="https://example.org/a?b=1&amp;c=ü">hier</a></p>\n.\n..dots\r<p>${'x'.repeat(3_000)}</p> \t\n`;
const NAME = 'Jörg, "der" Große (Köln) <x>';
const FROM_NAME = 'Zoë "Z" Müller, Vertrieb';

let first: Received;
let second: Received;
let records: DkimRecord[];
let now: Date;

beforeAll(async () => {
  const installation = await testInstallation({ baseUrl: 'https://links.example.com' });
  const sink = await startSmtpSink({ users: { me: 'secret' } });
  afterFile(() => sink.close());
  const { app, caller, clock } = installation;
  const sender = await startSender(installation, sink, {
    account: { from_name: FROM_NAME, timezone: 'Asia/Kathmandu', send_window_start_hour: 0, send_window_end_hour: 24 },
    campaign: { reply_to: 'desk@example.com' },
    steps: [
      { subject: SUBJECT, body_html: HTML },
      { body_html: '<p>Und?</p>', wait_days: 1 },
    ],
    contacts: [{ name: NAME, email: 'joerg@bücher.example' }],
  });
  await giveMailbox(installation, sender.accountId, 1);
  await setAccount(app, caller, sender.accountId, { list_id: 'offers.example.com' });
  records = await setDkim(app, caller, sender.accountId, { ed25519: true });
  await sender.batch();
  now = clock.now();
  clock.advance(2 * DAY);
  await sender.batch();
  [first, second] = (await Promise.all(sink.messages.map(({ raw }) => received(raw)))) as [Received, Received];
});

async function received(message: Buffer): Promise<Received> {
  const raw = message.toString('latin1');
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end);
  const fields = head.split(/\r\n(?![ \t])/).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [
      line.slice(0, colon),
      line
        .slice(colon + 1)
        .replaceAll('\r\n', '')
        .trim(),
    ];
  });
  return { raw, head, body: raw.slice(end + 4), fields, parsed: await PostalMime.parse(message) };
}

const values = (mail: Received, name: string) =>
  mail.fields.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
const value = (mail: Received, name: string) => values(mail, name)[0] ?? '';
const each = (check: (mail: Received) => void | Promise<void>) => async () => {
  for (const mail of [first, second]) await check(mail);
};

describe('the format of both emails', () => {
  it(
    'is lines of ASCII that end with CRLF: 78 characters in the header, 998 at most (RFC 5322 §2.1.1, §2.3)',
    each(({ raw, head, body }) => {
      expect(/[^\r]\n|\r[^\n]|[^\t\r\n -~]/.test(raw)).toBe(false);
      // A line without inner whitespace cannot be folded.
      expect(head.split('\r\n').filter((line) => line.length > 78 && /\S\s+\S/.test(line))).toEqual([]);
      expect(Math.max(...body.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
      for (const line of head.split('\r\n')) expect(line).toMatch(/^([!-9;-~]+:.*|[ \t]+\S.*)$/);
    }),
  );

  it(
    'has each field once, save DKIM-Signature, and no field of a relay (RFC 5322 §3.6, RFC 6376 §5.4)',
    each(({ fields }) => {
      const names = fields.map(([name]) => name.toLowerCase()).filter((name) => name !== 'dkim-signature');
      expect(names).toEqual([...new Set(names)]);
      expect(names).toEqual(
        expect.arrayContaining(['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type', 'reply-to']),
      );
      for (const name of ['return-path', 'received', 'bcc', 'sender', 'precedence', 'auto-submitted', 'x-mailer'])
        expect(names).not.toContain(name);
    }),
  );

  it(
    'encodes other scripts in words of 75 characters at most, never inside an address (RFC 2047 §2, §5)',
    each((mail) => {
      for (const word of mail.head.match(/=\?\S*\?=/g) ?? []) {
        expect(word).toMatch(/^=\?utf-8\?(Q\?[!->@-~]*|B\?[\w+/]*=*)\?=$/i);
        expect(word.length).toBeLessThanOrEqual(75);
      }
      for (const name of ['From', 'To']) expect(/<([^>]*)>$/.exec(value(mail, name))?.[1]).toMatch(/^[\w.-]+@[\w.-]+$/);
    }),
  );

  it(
    'is read as it was written by another parser',
    each(({ parsed }) => {
      expect(parsed.from).toMatchObject({ name: FROM_NAME, address: expect.stringMatching(/^sender-\d+@example\.com$/) });
      expect(parsed.to).toMatchObject([{ name: NAME, address: expect.stringMatching(/^joerg@(bücher|xn--bcher-kva)\.example$/) }]);
      expect(parsed.replyTo).toMatchObject([{ address: 'desk@example.com' }]);
      expect(parsed.subject).toBe(parsed === first.parsed ? SUBJECT : `Re: ${SUBJECT}`);
      expect(parsed.attachments).toEqual([]);
    }),
  );

  it('is multipart/alternative, plain text before HTML, in quoted-printable UTF-8 (RFC 2046 §5.1.4, RFC 2045 §6.7)', () => {
    const boundary = /^multipart\/alternative;\s*boundary="([^"]{1,70})"$/.exec(value(first, 'Content-Type'))?.[1] ?? '';
    const parts = `\r\n${first.body}`.split(`\r\n--${boundary}`);
    expect(parts).toHaveLength(4);
    expect(parts[3]).toBe('--\r\n');
    const header = (type: string) => `\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
    expect(parts[1]?.startsWith(header('text/plain'))).toBe(true);
    expect(parts[2]?.startsWith(header('text/html'))).toBe(true);
    for (const part of parts.slice(1, 3))
      expect(part.slice(part.indexOf('\r\n\r\n')).replaceAll(/=([0-9A-F]{2}|\r\n)/g, '')).not.toContain('=');
    expect(first.parsed.text).toContain('Grüße');
    expect(first.parsed.html).toContain(`.\n..dots\n<p>${'x'.repeat(3_000)}</p>`);
    expect(first.parsed.html).not.toContain('{{');
  });

  it('has a Date in the zone of the account, and a Message-ID in the domain of From (RFC 5322 §3.3, §3.6.4)', () => {
    const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d \+0545$/;
    for (const mail of [first, second]) {
      expect(value(mail, 'Date')).toMatch(date);
      expect(value(mail, 'Message-ID')).toMatch(/^<[a-z2-7]{26}@example\.com>$/);
    }
    expect(Math.abs(Date.parse(value(first, 'Date')) - now.getTime())).toBeLessThan(1_000);
  });
});

describe('the fields by which recipients opt out and programs thread', () => {
  it(
    'List-Unsubscribe is two URLs in angle brackets, https first; the token of the mailto is X-Entity-Ref-ID (RFC 2369 §2, RFC 8058 §3.1)',
    each((mail) => {
      const [, https = '', mailto = ''] = /^<([^<>\s]+)>, <([^<>\s]+)>$/.exec(value(mail, 'List-Unsubscribe')) ?? [];
      expect(new URL(https).protocol).toBe('https:');
      expect(new URL(mailto).pathname).toBe(mail.parsed.from?.address);
      expect([...new URL(mailto).searchParams]).toEqual([['subject', `unsubscribe-${value(mail, 'X-Entity-Ref-ID')}`]]);
      expect(value(mail, 'Message-ID')).toBe(`<${value(mail, 'X-Entity-Ref-ID')}@example.com>`);
      expect(value(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    }),
  );

  it(
    'List-Id is a label and a domain, the same in each email; other List- fields are of mailing lists (RFC 2919 §2, U-10)',
    each((mail) => {
      expect(value(mail, 'List-Id')).toBe('<offers.example.com>');
      expect(
        mail.fields
          .filter(([name]) => /^list-/i.test(name))
          .map(([name]) => name.toLowerCase())
          .sort(),
      ).toEqual(['list-id', 'list-unsubscribe', 'list-unsubscribe-post']);
    }),
  );

  it('the follow-up names the first email in In-Reply-To and References (RFC 5322 §3.6.4), and continues its Thread-Index (MS-OXOMSG §2.2.1.3)', async () => {
    const id = value(first, 'Message-ID');
    expect([value(second, 'In-Reply-To'), value(second, 'References')]).toEqual([id, id]);
    expect([values(first, 'In-Reply-To'), values(first, 'References')]).toEqual([[], []]);
    const [opening, next] = [first, second].map((mail) => Buffer.from(value(mail, 'Thread-Index'), 'base64'));
    expect([opening?.length, next?.length]).toEqual([22, 27]);
    expect(next?.subarray(0, 22)).toEqual(opening);
    const topics = [first, second].map((mail) => decodeWords(value(mail, 'Thread-Topic')));
    expect(topics).toEqual([SUBJECT, SUBJECT]);
  });
});

describe('the signatures', () => {
  it('by both keys verify, and every field that can be forged is signed once more than it occurs (RFC 6376 §8.15)', async () => {
    const resolver = async (name: string) => [records.find((record) => record.name === name)?.value.match(/.{1,255}/g) ?? []];
    const oversigned = ['from', 'to', 'cc', 'subject', 'date', 'reply-to', 'list-unsubscribe', 'list-unsubscribe-post'];
    for (const [mail, curTime] of [
      [first, now],
      [second, new Date(now.getTime() + 2 * DAY)],
    ] as const) {
      const { results } = await dkimVerify(Buffer.from(mail.raw, 'latin1'), { resolver, curTime });
      expect(results.map(({ algo, status }) => `${algo} ${status.result}`)).toEqual(['rsa-sha256 pass', 'ed25519-sha256 pass']);
      for (const signature of values(mail, 'DKIM-Signature')) {
        const signed = (/h=([^;]*)/.exec(signature)?.[1] ?? '').replaceAll(/\s/g, '').split(':');
        const count = (name: string) => signed.filter((each) => each === name).length;
        for (const name of oversigned) expect(count(name), name).toBe(values(mail, name).length + 1);
        const unsigned = mail.fields.map(([name]) => name.toLowerCase()).filter((name) => !signed.includes(name));
        expect(unsigned).toEqual(['dkim-signature', 'dkim-signature', 'x-entity-ref-id']);
      }
    }
  });
});
