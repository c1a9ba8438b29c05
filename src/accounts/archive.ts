import { type Caller, changeRecord } from '../access/index.ts';
import type { App } from '../app.ts';
import type { Tx } from '../db/transaction.ts';
import { forgetSeeds } from './placements.ts';
import { ACCOUNT } from './record.ts';

/**
 * Sets or clears the archive flag of an account inside the caller's transaction, with its audit entry. Throws `not_found`.
 * @returns false if nothing changed
 */
export async function setAccountArchived(tx: Tx, app: App, caller: Caller, id: number, archived: boolean): Promise<boolean> {
  const change = { verb: archived ? 'archive' : 'unarchive', patch: { is_archived: archived }, audited: () => ({}) };
  return (await changeRecord(tx, app, caller, ACCOUNT, id, change)) !== undefined;
}

/** Soft-deletes an account inside the caller's transaction, with its audit entry. Throws `not_found`. */
export async function removeAccount(tx: Tx, app: App, caller: Caller, id: number): Promise<void> {
  const patch = { deleted_at: app.clock.now() };
  await changeRecord(tx, app, caller, ACCOUNT, id, { verb: 'delete', patch, audited: ({ email }) => ({ email }) });
  await forgetSeeds(tx, { accountId: id });
}
