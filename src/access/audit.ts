import type { BulkTx } from '../db/bulk.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { Caller } from './caller.ts';

/** One change for the audit log. Never contains a secret. */
export interface AuditEntry {
  /** Resource and verb, for example `campaign.activate`. */
  action: string;
  resourceType: string;
  resourceId: number | null;
  /** Changed fields: new values, or `{ field: [before, after] }`. */
  changes?: Record<string, unknown>;
}

/** Writes the audit entry of a change in the change's own transaction, so that neither is committed without the other. */
export async function audit(tx: Tx | BulkTx, caller: Caller, now: Date, entry: AuditEntry): Promise<void> {
  await tx.query(sql`
    insert into audit_log (workspace_id, actor, user_id, api_key_id, ip, action, resource_type, resource_id, changes, at)
    values (${caller.workspaceId}, ${caller.actor}, ${caller.userId}, ${caller.apiKeyId}, ${caller.ip}, ${entry.action},
      ${entry.resourceType}, ${entry.resourceId}, ${JSON.stringify(entry.changes ?? {})}::jsonb, ${now})`);
}

/** Writes the audit entries of many changes, as `audit` writes one. */
export async function auditAll(tx: Tx, caller: Caller, now: Date, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(sql`
    insert into audit_log (workspace_id, actor, user_id, api_key_id, ip, action, resource_type, resource_id, changes, at)
    select ${caller.workspaceId}, ${caller.actor}, ${caller.userId}, ${caller.apiKeyId}, ${caller.ip}, e.action, e.type, e.id, e.changes::jsonb,
      ${now}::timestamptz
    from unnest(
      ${entries.map((entry) => entry.action)}::text[], ${entries.map((entry) => entry.resourceType)}::text[],
      ${entries.map((entry) => entry.resourceId)}::int[], ${entries.map((entry) => JSON.stringify(entry.changes ?? {}))}::text[]
    ) with ordinality as e (action, type, id, changes, position) order by e.position`);
}

/** Each changed field with its value before and after. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** Returns the fields of a patch whose values differ from the row's, as `{ field: [before, after] }`; undefined values are ignored. */
export function differences<Row extends object>(row: Row, patch: { [Field in keyof Row]?: Row[Field] | undefined }): Changes {
  const changed: Changes = {};
  for (const [field, after] of Object.entries(patch)) {
    const before = row[field as keyof Row];
    if (after !== undefined && JSON.stringify(before) !== JSON.stringify(after)) changed[field] = [before, after];
  }
  return changed;
}
