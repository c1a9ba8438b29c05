import { type Caller, visible } from '../access/index.ts';
import { type Queryable, raw, sql } from '../db/statement.ts';
import { canSend, isSameMailbox } from './conditions.ts';

/** True if an account of the workspace has the address, including archived and deleted ones. */
export async function hasAccountAddress(db: Queryable, workspaceId: number, email: string): Promise<boolean> {
  const rows = await db.query(
    sql`select from accounts where workspace_id = ${workspaceId} and address_key(email) = address_key(${email}) limit 1`,
  );
  return rows.length > 0;
}

/** True if the address belongs to an account of the caller's workspace that the caller can't see. Index: accounts_live_email. */
export async function isHiddenAddress(db: Queryable, caller: Caller, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from accounts a where a.workspace_id = ${caller.workspaceId} and address_key(a.email) = address_key(${email}) and a.deleted_at is null
      and not (${visible(caller, 'accounts', 'a')})`);
  return rows.length > 0;
}

/**
 * Lists the active accounts that share the provider's tenant with this one, including itself, by id: those with the same domain on the same
 * server. Reads all accounts.
 * @param workspaceId limits the list to this workspace; null for all
 */
export function accountsOfTenant(db: Queryable, id: number, workspaceId: number | null): Promise<{ id: number; workspace_id: number }[]> {
  const domain = (alias: string) => sql`address_domain(${raw(alias)}.email)`;
  return db.query(sql`
    select o.id, o.workspace_id from accounts a join accounts o on ${domain('o')} = ${domain('a')} and o.smtp->>'host' = a.smtp->>'host'
    where a.id = ${id} and ${canSend('o')} and o.workspace_id = coalesce(${workspaceId}, o.workspace_id) order by o.id`);
}

/** Returns the ids of the accounts that are or were the same mailbox: this one, and deleted ones of its workspace with its address. */
export async function accountsOfMailbox(db: Queryable, id: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select o.id from accounts a join accounts o on o.workspace_id = a.workspace_id and ${isSameMailbox('o', 'a')} where a.id = ${id}`);
  return rows.map((row) => row.id);
}
