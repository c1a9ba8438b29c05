import { audit, type Caller, lockWorkspace } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { discardFile, type StoredFile } from '../../uploads/files.ts';
import { getImport, type ImportOptions, type ImportRow } from './read-imports.ts';

/** Maximum size of an imported file in bytes. */
export const MAX_IMPORT_BYTES = 50 * 1024 * 1024;
/** Maximum number of waiting and running imports of a workspace. Each holds a file. */
const MAX_OPEN = 20;

/** Queues the import of a stored file. Throws `conflict` if the workspace has the maximum of open imports. */
export async function startImport(app: App, caller: Caller, file: StoredFile, options: ImportOptions): Promise<ImportRow> {
  return app.db.tx(async (tx) => {
    // If two start at the same time, the second counts the first as well.
    await lockWorkspace(tx, caller);
    if ((await countOpen(tx, caller.workspaceId)) >= MAX_OPEN)
      throw conflict(`${MAX_OPEN} imports of this workspace are waiting or running; wait until one has ended, or cancel one`);
    const now = app.clock.now();
    const name = plainName(file.name);
    const [row] = await tx.query<{ id: number }>(sql`
      insert into imports (workspace_id, file_id, file_name, file_size, options, status, created_by, api_key_id, ip, created_at)
      values (${caller.workspaceId}, ${file.id}, ${name}, ${file.size}, ${JSON.stringify(options)}::jsonb, 'queued',
        ${caller.userId}, ${caller.apiKeyId}, ${caller.ip}, ${now})
      returning id`);
    if (row === undefined) throw new Error('the import was not queued');
    await audit(tx, caller, now, entryOf('create', row.id, { file_name: name, file_size: file.size, ...options }));
    return getImport(tx, caller, row.id);
  });
}

/** Returns a file's name as one line of text; a client may send none. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .slice(0, 255)
    .toWellFormed() || 'upload.csv';

/** Index: imports_open. */
async function countOpen(db: Queryable, workspaceId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from imports where workspace_id = ${workspaceId} and status in ('queued', 'running')`);
  return row?.count ?? 0;
}

/**
 * Cancels an import that has not ended. Nothing of it remains, because its run can no longer commit. An import that was cancelled before is
 * returned unchanged. Throws `not_found`, and `conflict` for one that has ended otherwise.
 */
export async function cancelImport(app: App, caller: Caller, id: number): Promise<ImportRow> {
  return app.db.tx(async (tx) => {
    await getImport(tx, caller, id);
    const now = app.clock.now();
    const [cancelled] = await tx.query<{ file_id: number }>(sql`
      update imports set status = 'cancelled', finished_at = ${now} where id = ${id} and status in ('queued', 'running') returning file_id`);
    if (cancelled !== undefined) {
      await discardFile(tx, cancelled.file_id);
      await audit(tx, caller, now, entryOf('cancel', id, { status: 'cancelled' }));
    }
    const left = await getImport(tx, caller, id);
    if (left.status !== 'cancelled') throw conflict(`the import has ${left.status === 'failed' ? 'failed' : 'been completed'} already`);
    return left;
  });
}

const entryOf = (verb: string, id: number, changes: Record<string, unknown>) => ({
  action: `import.${verb}`,
  resourceType: 'import',
  resourceId: id,
  changes,
});
