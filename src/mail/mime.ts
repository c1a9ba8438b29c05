import { createHash } from 'node:crypto';
import { wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { detectMimeType, encodeWord } from 'nodemailer/lib/mime-funcs';
import MimeNode, { type MimeNodeHeader } from 'nodemailer/lib/mime-node';
import { encode, wrap } from 'nodemailer/lib/qp';

export type HeaderField = MimeNodeHeader;

/** Text like an encoded word (RFC 2047 §2). Programs would decode it, many even in quotes, so it is encoded as it was typed. */
const TYPED_WORD = /=\?[^?\s]+\?[BQ]\?[^?\s]*\?=/i;

/** The unstructured text of a field. Nodemailer writes ASCII as it is. */
export const textValue = (text: string): HeaderField['value'] =>
  TYPED_WORD.test(text) ? { prepared: true, foldLines: true, value: encodeWord(text, 'Q', 52) } : text;

/** Encodes the name of From or To, which nodemailer has put in quotes. */
function withTypedName(header: string, { key, value }: HeaderField): string {
  const { name = '' } = typeof value === 'object' && value !== null && 'name' in value ? value : {};
  if (typeof name !== 'string' || !TYPED_WORD.test(name)) return header;
  const quoted = new RegExp(`^${key}: "(?:[^"\\\\]|\\\\.)*"`, 'ms');
  return header.replace(quoted, () => `${key}: ${encodeWord(name, 'Q', 52).replaceAll(' ', '\r\n ')}`);
}

/**
 * Writes the header of a multipart message: folded, with encoded words (RFC 2047) and MIME-Version. See `boundaryOf`.
 */
export function multipartHeader(
  subtype: 'alternative' | 'mixed',
  fields: HeaderField[],
  seed: string,
): { header: string; boundary: string } {
  const boundary = boundaryOf(seed);
  const node = new MimeNode(`multipart/${subtype}`, { baseBoundary: seed });
  node.setHeader(fields);
  const header = fields.reduce(withTypedName, node.buildHeaders());
  // Nodemailer's own names nodemailer.
  return { header: header.replaceAll(node.boundary || seed, boundary), boundary };
}

/**
 * The boundary of a multipart message, always the same for a seed. It holds `=_`, which neither quoted-printable text nor base64 can
 * (RFC 2045 §6.7), and has the form of a widespread library, JavaMail, so that it tells no program.
 */
export function boundaryOf(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  const [one, two, three] = [digest.readUInt32BE(0) % 1_000_000, digest.readUInt32BE(4), digest.readUIntBE(8, 6) % 10_000_000_000_000];
  return `----=_Part_${one}_${two}.${three}`;
}

/** Writes the header of an attached file: its type by its name, the name as RFC 2231 has it. The content is base64. */
export function attachmentHeader(name: string): string {
  // Below another node, as a message of its own would get a Date and a Message-ID.
  const node = new MimeNode('multipart/mixed').createChild(detectMimeType(name), { filename: name });
  node.setHeader([
    { key: 'Content-Disposition', value: 'attachment' },
    { key: 'Content-Transfer-Encoding', value: 'base64' },
  ]);
  return node.buildHeaders();
}

/** Bytes as base64 in lines of 76 characters, each with its line end (RFC 2045 §6.8). */
export const base64Lines = (bytes: Buffer): string => `${wrapBase64(bytes.toString('base64'), 76)}\r\n`;

/** Text as quoted-printable UTF-8 in lines of at most 76 characters (RFC 2045 §6.7). Line ends become CRLF. */
export const quotedPrintable = (text: string): string => wrap(encode(text.replaceAll(/\r\n?|\n/g, '\r\n')), 76);
