import { type Caller, notHidden } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';

/** Condition: reply `r` belongs to a campaign and a contact that the caller can see. */
export const isSeen = (caller: Caller): Sql => sql`r.workspace_id = ${caller.workspaceId}
  and ${notHidden(caller, 'campaigns', sql`r.campaign_id`, 1)} and ${notHidden(caller, 'contacts', sql`r.contact_id`, 1)}`;

/** Throws `not_found` unless the caller can see the reply. */
export async function requireReply(db: Queryable, caller: Caller, id: number): Promise<void> {
  const rows = await db.query(sql`select from replies r where r.id = ${id} and ${isSeen(caller)}`);
  if (rows.length === 0) throw notFound('reply');
}
