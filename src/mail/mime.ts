import { createHash } from 'node:crypto';
import { wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { detectMimeType, encodeWord } from 'nodemailer/lib/mime-funcs';
import MimeNode, { type MimeNodeHeader } from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';

export type HeaderField = MimeNodeHeader;

/**
 * Text that looks like an encoded word (RFC 2047 §2). Programs would decode it, many even within quotes, so it is encoded to arrive as
 * typed.
 */
const TYPED_WORD = /=\?[^?\s]+\?[BQ]\?[^?\s]*\?=/i;

/** Returns the value of an unstructured field. Nodemailer does not encode ASCII by itself. */
export const textValue = (text: string): HeaderField['value'] =>
  TYPED_WORD.test(text) ? { prepared: true, foldLines: true, value: encodeWord(text, 'Q', 52) } : text;

/** Encodes a name of From or To that looks like an encoded word; nodemailer has only quoted it. */
function withTypedName(header: string, { key, value }: HeaderField): string {
  const { name = '' } = typeof value === 'object' && value !== null && 'name' in value ? value : {};
  if (typeof name !== 'string' || !TYPED_WORD.test(name)) return header;
  const quoted = new RegExp(`^${key}: "(?:[^"\\\\]|\\\\.)*"`, 'ms');
  return header.replace(quoted, () => `${key}: ${encodeWord(name, 'Q', 52).replaceAll(' ', '\r\n ')}`);
}

/** Writes the header of a multipart message: folded, with encoded words (RFC 2047) and MIME-Version. @param seed see `boundaryOf` */
export function multipartHeader(
  subtype: 'alternative' | 'mixed',
  fields: HeaderField[],
  seed: string,
): { header: string; boundary: string } {
  const boundary = boundaryOf(seed);
  const node = new MimeNode(`multipart/${subtype}`, { baseBoundary: seed });
  node.setHeader(fields);
  const header = fields.reduce(withTypedName, node.buildHeaders());
  // Nodemailer's own boundary contains its name.
  return { header: header.replaceAll(node.boundary || seed, boundary), boundary };
}

/**
 * Returns the boundary of a multipart message, always the same for a seed. It contains `=_`, which occurs neither in quoted-printable nor
 * in base64 (RFC 2045 §6.7). It looks like the boundaries of a widespread library, JavaMail, so that it does not give away the sending
 * program.
 */
export function boundaryOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  const [one, two, three] = [digest.readUInt32BE(0) % 1_000_000, digest.readUInt32BE(4), digest.readUIntBE(8, 6) % 10_000_000_000_000];
  return `----=_Part_${one}_${two}.${three}`;
}

/** Writes the header of an attached file in base64: the type, which follows from the file name, and the name, encoded by RFC 2231. */
export function attachmentHeader(name: string): string {
  // A child node, because a root node would get a Date and a Message-ID.
  const node = new MimeNode('multipart/mixed').createChild(detectMimeType(name), { filename: name });
  node.setHeader([
    { key: 'Content-Disposition', value: 'attachment' },
    { key: 'Content-Transfer-Encoding', value: 'base64' },
  ]);
  return node.buildHeaders();
}

/** Encodes bytes as base64 in lines of 76 characters, each with its line end (RFC 2045 §6.8). */
export const base64Lines = (bytes: Buffer): string => `${wrapBase64(bytes.toString('base64'), 76)}\r\n`;

/** Encodes text as quoted-printable UTF-8 in lines of at most 76 characters (RFC 2045 §6.7). Line ends become CRLF. */
export const quotedPrintable = (text: string): string => wrap(encode(text.replaceAll(/\r\n?|\n/g, '\r\n')), 76);
