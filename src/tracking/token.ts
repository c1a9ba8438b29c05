import type { Sealer } from '../secrets/seal.ts';

/** Kinds of signed links: `o` the image of an open, `c` a click, `u` an unsubscribe. */
export type LinkKind = 'o' | 'c' | 'u';

/** Half of an HMAC-SHA256: 128 bits, which nobody guesses. */
const SIGNATURE_BYTES = 16;

/** The purpose and the text of a link's signature. */
const signed = (kind: LinkKind, outboxId: number, url: string): [string, string] => [`link ${kind}`, `${outboxId}|${url}`];

/**
 * The path of a signed link: `/o/MAIL/SIGNATURE`, `/c/MAIL/SIGNATURE/URL`, `/u/MAIL/SIGNATURE`. The target of a click
 * is part of what is signed, so that it is followed without asking the database and can't be exchanged (CWE-601).
 * It never expires, and remains valid after a change of the secret.
 */
export function linkPath(sealer: Sealer, kind: LinkKind, outboxId: number, url = ''): string {
  return pathOf(kind, outboxId, sealer.sign(...signed(kind, outboxId, url)).subarray(0, SIGNATURE_BYTES), url);
}

function pathOf(kind: LinkKind, outboxId: number, signature: Buffer, url: string): string {
  const target = kind === 'c' ? `/${Buffer.from(url).toString('base64url')}` : '';
  return `/${kind}/${outboxId.toString(36)}/${signature.toString('base64url')}${target}`;
}

/** Reads the parts of a link. Undefined when its signature is not ours, by this or a former secret, for exactly this email and target. */
export function readLink(
  sealer: Sealer,
  kind: LinkKind,
  parts: { mail: string; signature: string; target?: string | undefined },
): { outboxId: number; url: string } | undefined {
  if (!/^[0-9a-z]{1,11}$/.test(parts.mail)) return undefined;
  const outboxId = Number.parseInt(parts.mail, 36);
  const url = kind === 'c' ? Buffer.from(parts.target ?? '', 'base64url').toString('utf8') : '';
  const signature = Buffer.from(parts.signature, 'base64url');
  if (signature.length !== SIGNATURE_BYTES || !sealer.verify(...signed(kind, outboxId, url), signature)) return undefined;
  // base64url has many spellings of one value; only ours is ours.
  const path = pathOf(kind, outboxId, signature, url);
  if (path !== `/${kind}/${parts.mail}/${parts.signature}${kind === 'c' ? `/${parts.target}` : ''}`) return undefined;
  return { outboxId, url };
}
