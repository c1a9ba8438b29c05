import { notFound } from '../core/errors.ts';
import { empty, type Queryable, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Caller } from './caller.ts';

/** One entry of the audit log: actor, action, resource, time and IP address. */
export interface HistoryEntry {
  id: number;
  at: string;
  workspace_id: number | null;
  actor: Caller['actor'];
  user_id: number | null;
  /** Address of the user on whose behalf it was done. */
  email: string | null;
  api_key_id: number | null;
  ip: string | null;
  action: string;
  resource_type: string;
  resource_id: number | null;
  changes: Record<string, unknown>;
}

export interface HistoryFilter {
  /** Only changes by this user. */
  userId?: number;
  /** Only changes of this resource; its type in the singular or plural, with `-` or `_`. */
  resource?: { type: string; id: number };
  /** Only changes at or after this instant. */
  since?: Date;
  /** Only entries before the one with this id. */
  before?: number;
  limit: number;
}

/**
 * Lists the audit log of the caller's workspace, newest first, or of all for the operator. Indexes: audit_log_user,
 * audit_log_resource, audit_log_workspace, or the primary key.
 */
export function listHistory(db: Queryable, caller: Caller, filter: HistoryFilter): Promise<HistoryEntry[]> {
  return db.query<HistoryEntry>(sql`${ENTRIES} where true${conditions(caller, filter)} order by a.id desc limit ${filter.limit}`);
}

/** Reads one entry. Throws `not_found`. Index: audit_log_pkey. */
export async function getHistoryEntry(db: Queryable, caller: Caller, id: number): Promise<HistoryEntry> {
  const [entry] = await db.query<HistoryEntry>(sql`${ENTRIES} where a.id = ${id}${inWorkspace(caller)}`);
  if (entry === undefined) throw notFound('history entry');
  return entry;
}

const ENTRIES = sql`
  select a.id, ${timestamp('a.at')} as at, a.workspace_id, a.actor, a.user_id, u.email, a.api_key_id,
    host(a.ip) as ip, a.action, a.resource_type, a.resource_id, a.changes
  from audit_log a left join users u on u.id = a.user_id`;

const inWorkspace = (caller: Caller): Sql => (caller.isEverywhere ? empty : sql` and a.workspace_id = ${caller.workspaceId}`);

/** Reads the latest audit entry of an action on something without an id. Index: audit_log_resource. */
export async function lastEntry(
  db: Queryable,
  { action, resourceType }: { action: string; resourceType: string },
): Promise<Pick<HistoryEntry, 'at' | 'changes'> | undefined> {
  const [row] = await db.query<Pick<HistoryEntry, 'at' | 'changes'>>(sql`
    select ${timestamp('a.at')} as at, a.changes from audit_log a
    where a.resource_type = ${resourceType} and a.resource_id is null and a.action = ${action} order by a.id desc limit 1`);
  return row;
}

function conditions(caller: Caller, { userId, resource, since, before }: HistoryFilter): Sql {
  const byUser = userId === undefined ? empty : sql` and a.user_id = ${userId}`;
  const ofResource =
    resource === undefined ? empty : sql` and a.resource_type = any(${spellings(resource.type)}) and a.resource_id = ${resource.id}`;
  const notBefore = since === undefined ? empty : sql` and a.at >= ${since}`;
  const older = before === undefined ? empty : sql` and a.id < ${before}`;
  return sql`${inWorkspace(caller)}${byUser}${ofResource}${notBefore}${older}`;
}

/** Returns the spellings of a type to look for: the audit log uses `custom_field`, API paths `custom-fields`. */
function spellings(type: string): string[] {
  const word = type.toLowerCase().replaceAll('-', '_');
  return [word, word.replace(/s$/, '')];
}
