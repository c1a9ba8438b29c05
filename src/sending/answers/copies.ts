import type { App } from '../../app.ts';
import { isSuppressed } from '../../contacts/index.ts';
import { emailAddress, isOneMailbox } from '../../core/email-address.ts';
import { conflict, invalid } from '../../core/errors.ts';
import type { Queryable } from '../../db/statement.ts';

/** Addresses that may get a copy of an answer. */
export const MAX_COPIES = 10;

/**
 * Checks and cleans the addresses that get a copy of an answer. Throws `invalid_request` for a malformed one, for the recipient, for one that is
 * named twice, and for more than 10.
 */
export function copyAddresses(addresses: readonly string[], recipient: string): string[] {
  if (addresses.length > MAX_COPIES) throw invalid(`cc: at most ${MAX_COPIES} addresses`);
  const cleaned = addresses.map((address) => emailAddress(address, 'cc'));
  for (const [index, address] of cleaned.entries()) {
    if (isOneMailbox(address, recipient)) throw invalid(`cc: ${address} gets the answer itself`);
    if (cleaned.slice(0, index).some((other) => isOneMailbox(address, other))) throw invalid(`cc: ${address} is named twice`);
  }
  return cleaned;
}

/** The first of these addresses that is suppressed; undefined if none is. */
export async function suppressedAmong(db: Queryable, app: App, workspaceId: number, cc: readonly string[]): Promise<string | undefined> {
  for (const address of cc) if (await isSuppressed(db, app, workspaceId, address)) return address;
  return undefined;
}

/** Throws `conflict` if one of these addresses is suppressed: who answers may override that for the person they answer, and for nobody else. */
export async function refuseSuppressedCopies(db: Queryable, app: App, workspaceId: number, cc: readonly string[]): Promise<void> {
  const suppressed = await suppressedAmong(db, app, workspaceId, cc);
  if (suppressed !== undefined) throw conflict(`cc: ${suppressed} is suppressed; leave it out`);
}
