import type { App } from '../app.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { appliesIn } from './suppressions.ts';

/** A suppression that keeps a contact from being emailed. */
export interface HoldingSuppression {
  /** The address, or its domain as `@example.com`. */
  email: string;
  reason: string | null;
  /** Its source: the address of the user who added it, `reply 42`, or the workspace of another team; null for the daemon. */
  source: string | null;
  created_at: string;
}

/** Lists the suppressions that apply to an address in a workspace, including those of its domains. Indexes: suppressions_everywhere. */
export function suppressionsOf(app: App, db: Queryable, workspaceId: number, email: string): Promise<HoldingSuppression[]> {
  return db.query<HoldingSuppression>(sql`
    select sup.email, sup.reason, ${timestamp('sup.created_at')} as created_at,
      case when sup.workspace_id <> ${workspaceId} then 'another workspace' when sup.reply_ids <> '{}' then 'reply ' || sup.reply_ids[1]
        else (select u.email from users u where u.id = sup.created_by) end as source
    from suppressions sup
    where mailbox_key(sup.email) = any(parent_domains(${email}::text) || mailbox_key(${email}::text)) and sup.removed_at is null
      and ${appliesIn(app, sql`${workspaceId}::int`)}
    order by sup.id`);
}
