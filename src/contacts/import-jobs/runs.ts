import type { App } from '../../app.ts';
import { conflict } from '../../core/errors.ts';
import { type Queryable, type Sql, sql } from '../../db/statement.ts';
import { discardFile } from '../../uploads/files.ts';
import type { ImportOptions, ImportOutcome } from './read-imports.ts';

/** A run of an import. `tries` distinguishes it from earlier runs, which may still be at work on a daemon that lost its lock. */
export interface Run {
  id: number;
  tries: number;
  workspaceId: number;
  fileId: number;
  fileName: string;
  fileSize: number;
  options: ImportOptions;
  userId: number | null;
  apiKeyId: number | null;
  ip: string | null;
}

/** The position up to which a run has read. */
export interface Progress {
  bytes: number;
  rows: number;
}

/**
 * Finds the ids of imports that have not ended, oldest first, taking turns between workspaces. Includes running ones, which are left to
 * their jobs. Index: imports_open.
 */
export async function dueImports(app: App, limit: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(
    sql`select id from (
      select id, row_number() over (partition by workspace_id order by id) as turn from imports where status in ('queued', 'running')) due
      order by turn, id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** Begins a run of an import; undefined if the import has ended. Earlier runs can no longer end it. */
export async function takeRun(app: App, id: number): Promise<Run | undefined> {
  const now = app.clock.now();
  const [run] = await app.db.query<Run>(sql`
    update imports set status = 'running', tries = tries + 1, bytes_read = 0, rows_read = 0, started_at = coalesce(started_at, ${now})
    where id = ${id} and status in ('queued', 'running')
    returning id, tries, workspace_id as "workspaceId", file_id as "fileId", file_name as "fileName", file_size as "fileSize", options,
      created_by as "userId", api_key_id as "apiKeyId", ip`);
  return run;
}

/** Condition: this is the latest run of the import, and the import is running. */
const isIn = ({ id, tries }: Run): Sql => sql`id = ${id} and status = 'running' and tries = ${tries}`;

/** Records the progress of a run. Returns false if it is no longer the current run of the import. */
export async function noteProgress(db: Queryable, run: Run, { bytes, rows }: Progress): Promise<boolean> {
  const noted = await db.query(sql`update imports set bytes_read = ${bytes}, rows_read = ${rows} where ${isIn(run)} returning 1`);
  return noted.length > 0;
}

/** Queues the import again when its daemon ends the run early; the run does not count as a try. */
export async function requeueRun(db: Queryable, run: Run): Promise<void> {
  await db.query(sql`update imports set status = 'queued', tries = tries - 1 where ${isIn(run)}`);
}

/**
 * Ends a run with its result. Throws `conflict` if it is no longer the current run of the import, which also rolls back what the run
 * imported.
 */
export async function completeRun(tx: Queryable, run: Run, result: ImportOutcome, problemCount: number, now: Date): Promise<void> {
  const completed = await tx.query(sql`
    update imports set status = 'completed', result = ${JSON.stringify(result)}::jsonb, problem_count = ${problemCount},
      bytes_read = file_size, rows_read = ${result.rows}, finished_at = ${now}
    where ${isIn(run)} returning 1`);
  if (completed.length === 0) throw conflict('the import was cancelled, or another daemon runs it');
}

/** Ends a run that imported nothing, with the reason. */
export async function failRun(app: App, run: Run, reason: string): Promise<void> {
  await app.db.tx(async (tx) => {
    const failed = await tx.query(sql`
      update imports set status = 'failed', error = ${reason}, finished_at = ${app.clock.now()} where ${isIn(run)} returning 1`);
    if (failed.length > 0) await discardFile(tx, run.fileId);
  });
}
