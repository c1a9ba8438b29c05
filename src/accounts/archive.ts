import { audit, type Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Sets or clears the archive flag of a locked account inside a running change, with its audit entry. */
export async function setAccountArchived(tx: Tx, app: App, caller: Caller, id: number, archived: boolean): Promise<void> {
  const now = app.clock.now();
  await tx.query(sql`update accounts set is_archived = ${archived}, updated_at = ${now} where id = ${id}`);
  await audit(tx, caller, now, { action: archived ? 'account.archive' : 'account.unarchive', resourceType: 'account', resourceId: id });
}

/** Deletes a locked account softly inside a running change, with its audit entry. */
export async function removeAccount(tx: Tx, app: App, caller: Caller, { id, email }: { id: number; email: string }): Promise<void> {
  const now = app.clock.now();
  await tx.query(sql`update accounts set deleted_at = ${now}, updated_at = ${now} where id = ${id}`);
  await audit(tx, caller, now, { action: 'account.delete', resourceType: 'account', resourceId: id, changes: { email } });
}
