import { type Caller, notHidden } from '../access/index.ts';
import { type Sql, sql } from '../db/statement.ts';

/** Condition: reply `r` is of a campaign and a contact that the caller can see. */
export const isSeen = (caller: Caller): Sql => sql`r.workspace_id = ${caller.workspaceId}
  and ${notHidden(caller, 'campaigns', sql`r.campaign_id`, 1)} and ${notHidden(caller, 'contacts', sql`r.contact_id`, 1)}`;
