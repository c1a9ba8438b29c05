import { empty, type Queryable, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** One line of the audit trail: who did what to which thing, when and from where. */
export interface HistoryEntry {
  id: number;
  at: string;
  workspace_id: number | null;
  /** `user`, `cli` for the operator, `system` for the daemon, `recipient` for a person who was written to. */
  actor: string;
  user_id: number | null;
  /** Address of the person in whose name it was done. */
  email: string | null;
  api_key_id: number | null;
  ip: string | null;
  action: string;
  resource_type: string;
  resource_id: number | null;
  changes: Record<string, unknown>;
}

export interface HistoryFilter {
  workspaceId?: number;
  /** What this person did. */
  userId?: number;
  /** What was done to this thing; its type in singular or plural, with `-` or `_`. */
  resource?: { type: string; id: number };
  /** At or after that instant. */
  since?: Date;
  limit: number;
}

/** The audit trail, newest first. Indexes: audit_log_user, audit_log_resource, audit_log_workspace, else the primary key. */
export function listHistory(db: Queryable, filter: HistoryFilter): Promise<HistoryEntry[]> {
  return db.query<HistoryEntry>(sql`
    select a.id, ${timestamp('a.at')} as at, a.workspace_id, a.actor, a.user_id, u.email, a.api_key_id,
      host(a.ip) as ip, a.action, a.resource_type, a.resource_id, a.changes
    from audit_log a left join users u on u.id = a.user_id
    where true${conditions(filter)} order by a.id desc limit ${filter.limit}`);
}

function conditions({ workspaceId, userId, resource, since }: HistoryFilter): Sql {
  const inWorkspace = workspaceId === undefined ? empty : sql` and a.workspace_id = ${workspaceId}`;
  const byUser = userId === undefined ? empty : sql` and a.user_id = ${userId}`;
  const ofResource =
    resource === undefined ? empty : sql` and a.resource_type = any(${spellings(resource.type)}) and a.resource_id = ${resource.id}`;
  const notBefore = since === undefined ? empty : sql` and a.at >= ${since}`;
  return sql`${inWorkspace}${byUser}${ofResource}${notBefore}`;
}

/** The trail names types in singular (`custom_field`), paths in plural (`custom-fields`): both find it. */
function spellings(type: string): string[] {
  const word = type.toLowerCase().replaceAll('-', '_');
  return [word, word.replace(/s$/, '')];
}
