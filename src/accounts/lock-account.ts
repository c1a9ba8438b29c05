import { type Caller, missing, visible } from '../access/index.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { DkimSetting } from '../mail/dkim.ts';
import type { AccountStatus, PauseReason, Provider } from './entities.ts';

/** What a change of an account depends on. */
export interface LockedAccount {
  id: number;
  email: string;
  provider: Provider;
  status: AccountStatus;
  pause_reason: PauseReason | null;
  is_archived: boolean;
  dkim: DkimSetting | null;
}

/** Locks an account that the caller may see for a change. Throws `not_found`. */
export async function lockAccount(tx: Tx, caller: Caller, id: number): Promise<LockedAccount> {
  const [row] = await tx.query<LockedAccount>(sql`
    select a.id, a.email, a.provider, a.status, a.pause_reason, a.is_archived, a.dkim from accounts a
    where a.id = ${id} and ${visible(caller, 'accounts', 'a')} for no key update`);
  if (row === undefined) throw missing('accounts');
  return row;
}

/** Locks an account for the daemon unless it is deleted or disconnected. Returns its workspace. */
export async function lockConnected(tx: Tx, id: number): Promise<{ workspaceId: number } | undefined> {
  const [row] = await tx.query<{ workspace_id: number }>(sql`
    select workspace_id from accounts where id = ${id} and deleted_at is null and status <> 'disconnected' for no key update`);
  return row && { workspaceId: row.workspace_id };
}

/** Those of the accounts that are live and that the caller may see, by id; they stay so until the transaction ends. */
export async function lockLiveAccounts(tx: Tx, caller: Caller, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select a.id from accounts a where a.id = any(${ids}::int[]) and not a.is_archived and ${visible(caller, 'accounts', 'a')}
    order by a.id for key share`);
  return rows.map(({ id }) => id);
}
