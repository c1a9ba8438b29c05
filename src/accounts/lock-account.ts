import { type Caller, lockRecord, visible } from '../access/index.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { accountIs } from './conditions.ts';
import type { Account } from './entities.ts';
import { ACCOUNT } from './record.ts';

/** Locks an account that the caller may see. Throws `not_found`. */
export const lockAccount = (tx: Tx, caller: Caller, id: number): Promise<Account> => lockRecord(tx, caller, ACCOUNT, id);

/** Locks an account for the daemon unless it is deleted or disconnected. Returns its workspace. */
export async function lockConnected(tx: Tx, id: number): Promise<{ workspaceId: number } | undefined> {
  const [row] = await tx.query<{ workspace_id: number }>(sql`
    select workspace_id from accounts where id = ${id} and deleted_at is null and status <> 'disconnected' for no key update`);
  return row && { workspaceId: row.workspace_id };
}

/** Locks an account for the daemon if it is active and not deleted. Returns false for any other. */
export async function lockActive(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx.query(sql`
    select from accounts a where a.id = ${id} and a.deleted_at is null and ${accountIs('a', 'active')} for no key update`);
  return rows.length > 0;
}

/** Locks the given accounts, if they are live and the caller may see them (`for key share`). Returns their ids in order. */
export async function lockLiveAccounts(tx: Tx, caller: Caller, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select a.id from accounts a where a.id = any(${ids}::int[]) and not a.is_archived and ${visible(caller, 'accounts', 'a')}
    order by a.id for key share`);
  return rows.map(({ id }) => id);
}
