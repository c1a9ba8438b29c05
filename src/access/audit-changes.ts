import type { App } from '../app.ts';
import { DAY } from '../core/clock.ts';
import { BATCH_SIZE } from '../db/in-batches.ts';
import { type Queryable, sql } from '../db/statement.ts';

/** The changes to the audit log that a trigger allows: an erasure clears entries, retention deletes them. */
export type AuditChange = 'erasure' | 'retention';

/** Allows the rest of the transaction to change audit entries, which a trigger refuses otherwise. */
export async function allowAuditChange(tx: Queryable, change: AuditChange): Promise<void> {
  await tx.query(sql`select set_config('outreach.audit_change', ${change}, true)`);
}

/**
 * Deletes audit entries older than the setting `retentionAuditLog`, if it is set, and returns their number. Index: audit_log_pkey,
 * since ids follow the time.
 */
export async function pruneAuditLog(app: App, signal?: AbortSignal): Promise<number> {
  const days = app.config.retentionAuditLog;
  if (days === undefined) return 0;
  const limit = new Date(app.clock.now().getTime() - days * DAY);
  for (let deleted = 0; ; ) {
    const rows = signal?.aborted ? [] : await deleteOldest(app, limit);
    deleted += rows.length;
    if (rows.length === 0) return deleted;
  }
}

const deleteOldest = (app: App, limit: Date): Promise<unknown[]> =>
  app.db.tx(async (tx) => {
    await allowAuditChange(tx, 'retention');
    return tx.query(sql`
      delete from audit_log where id in (
        select id from (select id, at from audit_log order by id limit ${BATCH_SIZE}) oldest where at < ${limit})
      returning 1`);
  });
