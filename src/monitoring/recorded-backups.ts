import { audit, type Caller, lastEntry } from '../access/index.ts';
import type { App } from '../app.ts';
import type { Queryable } from '../db/statement.ts';

const BACKUP = { action: 'installation.backup', resourceType: 'installation', resourceId: null } as const;

/** Records in the audit log that a backup was made: it contains everybody's data, and `outreach status` shows how old it is. */
export const recordBackup = (
  app: App,
  caller: Caller,
  { file, made_at, rows }: { file: string; made_at: string; rows: number },
): Promise<void> => app.db.tx((tx) => audit(tx, caller, app.clock.now(), { ...BACKUP, changes: { file, made_at, rows } }));

/** Reads the time of the latest recorded backup, `YYYY-MM-DD HH:MM:SS` UTC; null if there is none. */
export async function lastBackup(db: Queryable): Promise<string | null> {
  return (await lastEntry(db, BACKUP))?.at ?? null;
}
