import type { Sealer } from '../secrets/seal.ts';

/** Kinds of signed links: `o` for the open image, `c` for a click, `u` for unsubscribing. */
export type LinkKind = 'o' | 'c' | 'u';

/** Half of an HMAC-SHA256: 128 bits, too many to guess. */
const SIGNATURE_BYTES = 16;

/** Returns the purpose and the text of a link's signature. */
const signed = (kind: LinkKind, outboxId: number, url: string): [string, string] => [`link ${kind}`, `${outboxId}|${url}`];

/**
 * Returns the path of a signed link: `/o/MAIL/SIGNATURE`, `/c/MAIL/SIGNATURE/URL`, `/u/MAIL/SIGNATURE`. The signature covers
 * the target of a click, so that we can redirect without a database query and nobody can replace the target (CWE-601).
 * A link never expires, and remains valid after a change of the secret.
 */
export function linkPath(sealer: Sealer, kind: LinkKind, outboxId: number, url = ''): string {
  return pathOf(kind, outboxId, sealer.sign(...signed(kind, outboxId, url)).subarray(0, SIGNATURE_BYTES), url);
}

function pathOf(kind: LinkKind, outboxId: number, signature: Buffer, url: string): string {
  const target = kind === 'c' ? `/${Buffer.from(url).toString('base64url')}` : '';
  return `/${kind}/${outboxId.toString(36)}/${signature.toString('base64url')}${target}`;
}

/** Parses a link. Returns undefined unless the current or a former secret signed exactly this email and target. */
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
  // base64url has several spellings of one value; only the one that we generate is valid.
  const path = pathOf(kind, outboxId, signature, url);
  if (path !== `/${kind}/${parts.mail}/${parts.signature}${kind === 'c' ? `/${parts.target}` : ''}`) return undefined;
  return { outboxId, url };
}
