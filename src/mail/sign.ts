import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type DkimSigner, SIGNATURE_LIFETIME } from './dkim.ts';

/**
 * Oversigned fields: listed once more than the email has them, so that none can be added in transit (RFC 6376 §8.15). They are the sender,
 * the recipients, the subject, the date, the reply address and how to unsubscribe (RFC 8058 §4).
 */
const OVERSIGNED = ['from', 'to', 'cc', 'subject', 'date', 'reply-to', 'list-unsubscribe', 'list-unsubscribe-post'];
/** Fields that are signed if the email has them (RFC 6376 §5.4.1). */
const SIGNED = [
  ...['message-id', 'in-reply-to', 'references', 'mime-version', 'content-type', 'content-transfer-encoding'],
  ...['list-id', 'thread-topic', 'thread-index'],
];
const MAX_LINE = 76;

/** Signs without blocking the event loop: RSA takes about a millisecond. */
const signature = promisify<string | null, Buffer, KeyObject, Buffer>(sign);

/**
 * Signs a message with DKIM (RFC 6376; Ed25519 by RFC 8463). Prepends one DKIM-Signature field for each signer, relaxed/relaxed, which
 * expires after two weeks. Neither nodemailer's signer nor mailauth's can oversign. Throws if a key can't sign.
 * @param message an RFC 5322 message with CRLF line ends in which no field is repeated
 * @param rest the rest, if `message` is only the beginning: whole lines, the last of them not empty
 * @returns the message, or its beginning, with the signatures
 */
export async function signMessage(
  message: Buffer,
  signers: readonly DkimSigner[],
  now: Date,
  rest?: AsyncIterable<Buffer>,
): Promise<Buffer> {
  const text = message.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const fields = new Map(
    text
      .slice(0, end)
      .split(/\r\n(?![ \t])/)
      .map(canonicalField),
  );
  const body = text.slice(end + 4);
  const hash = createHash('sha256').update(rest === undefined ? canonicalBody(body) : singleSpaced(body), 'latin1');
  for await (const bytes of rest ?? []) hash.update(singleSpaced(bytes.toString('latin1')), 'latin1');
  const bodyHash = hash.digest('base64');
  const names = [...OVERSIGNED.flatMap((name) => (fields.has(name) ? [name, name] : [name])), ...SIGNED.filter((name) => fields.has(name))];
  // Each mention of a name signs the lowest field of that name that is not yet signed (RFC 6376 §5.4.2), so the second mention signs an
  // absent field.
  const signed = [...new Set(names)]
    .flatMap((name) => fields.get(name) ?? [])
    .map((line) => `${line}\r\n`)
    .join('');
  const seconds = Math.floor(now.getTime() / 1_000);
  const lines = await Promise.all(
    signers.map(async ({ domain, selector, privateKey }) => {
      const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? 'ed25519' : 'rsa';
      const unsigned = [
        `DKIM-Signature: v=1; a=${algorithm}-sha256; c=relaxed/relaxed;\r\n d=${domain}; s=${selector};`,
        `\r\n t=${seconds}; x=${seconds + SIGNATURE_LIFETIME / 1_000};\r\n h=${folded(names.join(':'), /[^:]+:?/g)};\r\n bh=${bodyHash};\r\n b=`,
      ].join('');
      const [, canonical] = canonicalField(unsigned);
      const value = await sign64(Buffer.from(`${signed}${canonical}`, 'latin1'), privateKey);
      return `${unsigned}${folded(value, /.{1,70}/g)}\r\n`;
    }),
  );
  return Buffer.concat([Buffer.from(lines.join(''), 'latin1'), message]);
}

/** Signs data and returns base64. RSA signs the SHA-256 of the data; Ed25519 takes that hash as its message (RFC 8463 §3). */
async function sign64(data: Buffer, key: KeyObject): Promise<string> {
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  const value = await signature(isEd25519 ? null : 'sha256', isEd25519 ? createHash('sha256').update(data).digest() : data, key);
  return value.toString('base64');
}

/** Folds the pieces of a tag's value into lines. */
function folded(value: string, pieces: RegExp): string {
  let line = 0;
  return (value.match(pieces) ?? []).reduce((text, piece) => {
    const isFull = line + piece.length > MAX_LINE - 5;
    line = isFull ? piece.length : line + piece.length;
    return `${text}${isFull ? '\r\n ' : ''}${piece}`;
  }, '');
}

/** Returns a field's name in lower case, and the field unfolded, with single spaces (RFC 6376 §3.4.2). */
function canonicalField(field: string): [name: string, line: string] {
  const colon = field.indexOf(':');
  const name = field.slice(0, colon).trim().toLowerCase();
  const value = field
    .slice(colon + 1)
    .replaceAll(/[ \t\r\n]+/g, ' ')
    .replaceAll(/^ | $/g, '');
  return [name, `${name}:${value}`];
}

const singleSpaced = (text: string): string => text.replaceAll(/[ \t]+/g, ' ').replaceAll(' \r\n', '\r\n');

/** Returns the body with single spaces, no spaces at the ends of lines, and no empty lines at its end (RFC 6376 §3.4.4). */
function canonicalBody(body: string): string {
  const text = singleSpaced(body).replace(/ $/, '');
  let end = text.length;
  while (end > 0 && text.startsWith('\r\n', end - 2)) end -= 2;
  return end === 0 ? '' : `${text.slice(0, end)}\r\n`;
}
