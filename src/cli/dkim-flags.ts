import { readFileSync } from 'node:fs';
import { Flags, type Interfaces } from '@oclif/core';
import type { DkimInput } from '../accounts/index.ts';
import { invalid } from '../core/errors.ts';
import { fileProblem } from '../files/file-problem.ts';

/** The flags of `account set` for DKIM signing (RFC 6376). */
export const dkimFlags = {
  'dkim-domain': Flags.string({
    description: "domain to sign with: the sender's domain or a parent of it; none turns signing off",
    helpValue: 'D',
  }),
  'dkim-ed25519': Flags.boolean({
    description: 'sign with an Ed25519 key too (RFC 8463); its selector ends in -ed25519',
    allowNo: true,
  }),
  'dkim-key': Flags.string({ description: 'RSA private key in PEM (default: a new key is generated)', helpValue: 'FILE' }),
  'dkim-selector': Flags.string({ description: 'selector, the name of the key in DNS (default: outreach)', helpValue: 'S' }),
};

/**
 * Returns the signing that the flags request: undefined for no change, null to turn it off. Throws `invalid_request` for a file that can't be
 * read.
 */
export function dkimFrom(flags: Interfaces.InferredFlags<typeof dkimFlags>): DkimInput | null | undefined {
  const { 'dkim-domain': domain, 'dkim-selector': selector, 'dkim-key': file, 'dkim-ed25519': ed25519 } = flags;
  const others = [selector, file, ed25519].filter((flag) => flag !== undefined);
  if (domain === undefined && others.length === 0) return undefined;
  if (domain !== 'none') return { domain, selector, ed25519, key: file === undefined ? undefined : readKey(file) };
  if (others.length > 0) throw invalid("--dkim-domain none can't be combined with other settings of DKIM");
  return null;
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileProblem(`--dkim-key: ${file}`, 'read', error);
  }
}
