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
  'dkim-key': Flags.string({ description: 'RSA private key in PEM (default: a new key is generated)', helpValue: 'FILE' }),
  'dkim-selector': Flags.string({ description: 'selector, the name of the key in DNS (default: outreach)', helpValue: 'S' }),
};

/** The signing that the flags request: undefined for no change, null for none. Throws `invalid_request` for a file that can't be read. */
export function dkimFrom(flags: Interfaces.InferredFlags<typeof dkimFlags>): DkimInput | null | undefined {
  const { 'dkim-domain': domain, 'dkim-selector': selector, 'dkim-key': file } = flags;
  if (domain === undefined && selector === undefined && file === undefined) return undefined;
  if (domain !== 'none') return { domain, selector, key: file === undefined ? undefined : readKey(file) };
  if (selector !== undefined || file !== undefined)
    throw invalid("--dkim-domain none can't be combined with --dkim-selector or --dkim-key");
  return null;
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileProblem(`--dkim-key: ${file}`, 'read', error);
  }
}
