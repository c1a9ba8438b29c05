import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { publicKeyOf } from '../../src/mail/dkim.ts';
import { signMessage } from '../../src/mail/sign.ts';

/** Tests of signatures with a receiver's verifier: mailauth shares no code with our signer. */

const KEYS = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
  ed25519: generateKeyPairSync('ed25519').privateKey,
};
const NOW = new Date('2026-07-07T12:00:00Z');
const HEADER = {
  ...{ From: 'Zoe <zoe@example.com>', To: 'ada@example.org', Subject: 'Your roof' },
  ...{ Date: 'Tue, 7 Jul 2026 12:00:00 +0000', 'Message-ID': '<1@example.com>', 'MIME-Version': '1.0', 'Content-Type': 'text/plain' },
  'List-Unsubscribe': '<https://links.example.com/u/1>,\r\n\t<mailto:zoe@example.com?subject=x>',
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
};
const messageOf = (body: string, header: Record<string, string> = HEADER) =>
  Buffer.from(
    `${Object.entries(header)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body}`,
    'latin1',
  );

const signer = (algorithm: keyof typeof KEYS, selector: string = algorithm) => ({
  domain: 'example.com',
  selector,
  privateKey: KEYS[algorithm],
});
const signed = (body = 'Hello\r\n', header?: Record<string, string>) =>
  signMessage(messageOf(body, header), [signer('rsa'), signer('ed25519')], NOW);

const record = (key: KeyObject) => `v=DKIM1; k=${key.asymmetricKeyType}; p=${publicKeyOf(key)}`;

/** Returns a receiver's result for each signature at that time. */
async function verified(raw: Buffer, curTime = NOW): Promise<string[]> {
  const resolver = async (name: string) => {
    const key = KEYS[(name.split('.')[0] ?? '') as keyof typeof KEYS];
    if (key === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return [record(key).match(/.{1,255}/g) ?? []];
  };
  const { results } = await dkimVerify(raw, { resolver, curTime });
  return results.map(({ algo, status }) => `${algo} ${status.result}`);
}
const BOTH = ['rsa-sha256 pass', 'ed25519-sha256 pass'];
const tagsOf = (raw: Buffer) =>
  [...raw.toString('latin1').matchAll(/^DKIM-Signature:((?:.*\r\n[ \t])*.*)\r\n/gm)].map(
    ([, tags = '']) => new Map(tags.split(';').map((tag) => tag.replaceAll(/\s/g, '').split(/=(.*)/s).slice(0, 2) as [string, string])),
  );

describe('a signature', () => {
  it('by RSA and one by Ed25519 both verify (RFC 6376, RFC 8463), whatever the body', async () => {
    const line = fc.stringMatching(/^[ \t.a-zé=\0]{0,12}$/);
    const bodies = fc.array(fc.oneof(line, fc.constant('')), { maxLength: 8 }).map((lines) => lines.join('\r\n'));
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        expect(await verified(await signed(body))).toEqual(BOTH);
      }),
      { numRuns: 60, examples: [[''], ['\r\n'], ['\r\n\r\n'], [' '], [' \r\n'], ['a \t\r\n\r\n'], ['\r\n\r\na']] },
    );
  });

  it('verifies whatever the white space in the header', async () => {
    const header = { ...HEADER, Subject: ' a  \t b\r\n  c \r\n\td ', 'In-Reply-To': '\r\n <0@example.com>' };
    expect(await verified(await signed('Hello\r\n', header))).toEqual(BOTH);
    const folded = (await signed()).toString('latin1').replace('Subject: Your roof', 'SUBJECT:\r\n   Your \t roof ');
    expect(await verified(Buffer.from(folded, 'latin1'))).toEqual(BOTH);
  });

  // §14: "oversign From, To, Subject, Reply-To, Date, List-Unsubscribe(-Post)" (RFC 6376 §8.15).
  it.each([
    'From',
    'To',
    'Cc',
    'Subject',
    'Reply-To',
    'Date',
    'List-Unsubscribe',
    'List-Unsubscribe-Post',
  ])('fails when somebody adds a %s on the way', async (name) => {
    const raw = await signed();
    expect(await verified(raw)).toEqual(BOTH);
    const added = Buffer.concat([Buffer.from(`${name}: eve@evil.example\r\n`), raw]);
    expect((await verified(added)).filter((result) => result.endsWith('pass'))).toEqual([]);
  });

  it('covers every field that §14 lists and the email has, and never the trace (RFC 6376 §5.4)', async () => {
    const more = { ...HEADER, 'In-Reply-To': '<0@example.com>', References: '<0@example.com>', 'Reply-To': 'desk@example.com' };
    const header = { ...more, 'Content-Transfer-Encoding': '7bit', 'List-Id': '<news.example.com>', 'X-Other': '1' };
    for (const tags of tagsOf(await signed('Hello\r\n', header))) {
      const names = (tags.get('h') ?? '').split(':');
      const twice = ['from', 'to', 'subject', 'date', 'reply-to', 'list-unsubscribe', 'list-unsubscribe-post'];
      const once = [
        'message-id',
        'in-reply-to',
        'references',
        'mime-version',
        'content-type',
        'content-transfer-encoding',
        'list-id',
        'cc',
      ];
      expect(names.toSorted()).toEqual([...twice, ...twice, ...once].toSorted());
    }
  });

  it('has t= and expires by x= two weeks later, no l=, relaxed/relaxed (§14)', async () => {
    const raw = await signed();
    const seconds = NOW.getTime() / 1_000;
    for (const tags of tagsOf(raw)) {
      expect([tags.get('t'), tags.get('x'), tags.get('c'), tags.has('l')]).toEqual([
        `${seconds}`,
        `${seconds + 14 * 86_400}`,
        'relaxed/relaxed',
        false,
      ]);
      expect(tags.get('d')).toBe('example.com');
    }
    expect(await verified(raw, new Date(NOW.getTime() + 13 * DAY))).toEqual(BOTH);
    expect((await verified(raw, new Date(NOW.getTime() + 15 * DAY))).filter((result) => result.endsWith('pass'))).toEqual([]);
  });

  it('has lines of at most 78 characters (RFC 5322 §2.1.1)', async () => {
    const raw = (await signed()).toString('latin1');
    const lines = raw.slice(0, raw.indexOf('\r\nFrom:')).split('\r\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78);
  });

  it('by a key that can not sign throws', async () => {
    const { privateKey } = generateKeyPairSync('x25519');
    await expect(signMessage(messageOf('Hello\r\n'), [{ domain: 'example.com', selector: 's1', privateKey }], NOW)).rejects.toThrow();
  });
});
