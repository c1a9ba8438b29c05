import { readFileSync } from 'node:fs';
import { Flags, type Interfaces } from '@oclif/core';
import type { DkimInput } from '../accounts/index.ts';
import { invalid } from '../core/errors.ts';
import { fileProblem } from '../files/file-problem.ts';

/** The options of `account set` that have us sign the mails of a mailbox. */
export const dkimFlags = {
  'dkim-domain': Flags.string({ description: "domain that signs its mails, its own or one above it; none: don't sign", helpValue: 'D' }),
  'dkim-key': Flags.string({ description: 'RSA key to sign with, in PEM; one is made when left out', helpValue: 'FILE' }),
  'dkim-selector': Flags.string({ description: 'name of the key in DNS; outreach when left out', helpValue: 'S' }),
};

/** What the options ask for: undefined nothing, null no signing. Throws `invalid_request` for a file that can't be read. */
export function dkimFrom(flags: Interfaces.InferredFlags<typeof dkimFlags>): DkimInput | null | undefined {
  const { 'dkim-domain': domain, 'dkim-selector': selector, 'dkim-key': file } = flags;
  if (domain === undefined && selector === undefined && file === undefined) return undefined;
  if (domain !== 'none') return { domain, selector, key: file === undefined ? undefined : readKey(file) };
  if (selector !== undefined || file !== undefined) throw invalid('--dkim-domain none: takes no selector and no key');
  return null;
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileProblem(`--dkim-key: ${file}`, 'read', error);
  }
}
