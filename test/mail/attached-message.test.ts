import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { composeWithFiles } from '../../src/mail/attached-message.ts';
import type { Draft } from '../../src/mail/compose.ts';
import { publicKeyOf } from '../../src/mail/dkim.ts';
import { signMessage } from '../../src/mail/sign.ts';

/** Tests of messages with attachments with a receiver's parser and verifier: neither postal-mime nor mailauth shares code with us. */

const NOW = new Date('2026-07-07T12:00:00Z');
const { privateKey } = generateKeyPairSync('ed25519');
const LINES = 57;

const draft: Draft = {
  ...{ from: { name: 'Zoe', address: 'zoe@example.com' }, to: { name: 'Ada', address: 'ada@example.org' }, replyTo: null },
  ...{
    subject: 'Grüße',
    html: '<p>See the  prices \n</p>',
    messageId: '<1@example.com>',
    reference: 'seed',
    inReplyTo: null,
    references: [],
  },
  ...{ date: NOW, timezone: 'UTC', headers: {} },
};

async function* inChunks(content: Buffer, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

const file = fc.record({
  name: fc.oneof(
    fc.constantFrom('a.pdf', 'Preisliste für alle, die "es" wissen; wollen.pdf', '価格表.xlsx'),
    fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' }),
  ),
  content: fc.uint8Array({ minLength: 1, maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
});

it('have every file byte by byte under its name, the announced length, short lines, and a signature that holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (files) => {
      const named = files.map(({ name, content }) => ({
        name: name.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim() || 'x',
        content,
      }));
      const contents = named.map(({ name, content }) => ({ name, size: content.length, read: () => inChunks(content, LINES * 2) }));
      const message = composeWithFiles(draft, contents);
      const signer = { domain: 'example.com', selector: 's', privateKey };
      const start = await signMessage(message.start, [signer], NOW, message.rest());
      const raw = Buffer.concat([start, await buffer(Readable.from(message.rest()))]);
      expect(raw.length - start.length + message.start.length).toBe(message.length);
      expect(
        raw
          .toString('latin1')
          .split('\r\n')
          .filter((line) => line.length > 998),
      ).toEqual([]);
      const email = await PostalMime.parse(raw);
      expect(email.html).toContain('See the  prices');
      expect(email.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))).toEqual(named.map(({ content }) => content));
      expect(email.attachments.map(({ filename }) => filename)).toEqual(named.map(({ name }) => name));
      const resolver = async () => [[`v=DKIM1; k=ed25519; p=${publicKeyOf(privateKey)}`]];
      const { results } = await dkimVerify(raw, { resolver, curTime: NOW });
      expect(results.map(({ status }) => status.result)).toEqual(['pass']);
    }),
    { numRuns: 60 },
  );
});

it('are not sent with less than a whole file, as when it is deleted meanwhile', async () => {
  const content = Buffer.alloc(LINES * 4, 'x');
  for (const left of [0, LINES * 2]) {
    const { rest } = composeWithFiles(draft, [
      { name: 'a.txt', size: content.length, read: () => inChunks(content.subarray(0, left), LINES) },
    ]);
    await expect(buffer(Readable.from(rest()))).rejects.toThrow('the attached file "a.txt" is gone');
  }
});
