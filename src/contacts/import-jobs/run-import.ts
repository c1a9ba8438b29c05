import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actingFor } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { SECOND } from '../../core/clock.ts';
import { OutreachError } from '../../core/errors.ts';
import type { BulkTx } from '../../db/bulk.ts';
import type { CsvWords } from '../../files/csv-dialect.ts';
import { writeWhole } from '../../files/output-file.ts';
import { discardFile, readFile } from '../../uploads/files.ts';
import { type EmailsToAddress, type ImportRequest, type ImportResult, importContacts } from '../import/index.ts';
import { copyProblems } from './problems.ts';
import { completeRun, failRun, noteProgress, type Progress, type Run, requeueRun, takeRun } from './runs.ts';

/** Maximum number of runs of one import that may be interrupted, by their daemon or database, before it fails. */
const MAX_TRIES = 5;
const PROGRESS_INTERVAL = SECOND;
const RUNS_CUT_OFF = `nothing was imported: the daemon or the database stopped during each of ${MAX_TRIES} tries; upload the file again`;
const RIGHTS_LOST = 'nothing was imported: the user who uploaded the file may no longer change contacts in this workspace';

/** Names of a file and its fields in messages of the API. */
const apiWords = (file: string): CsvWords => ({ file, option: (name) => name.replaceAll('-', '_') });

/**
 * Runs a queued import from its beginning. The transaction that imports the file also records its completion, so that an interrupted run
 * leaves nothing behind and another daemon may begin again. A run ends early when the daemon drains, when the import is cancelled, or when
 * another daemon has begun a later run. A system error is thrown, so that the job is retried.
 */
export async function runImport(app: App, id: number, draining: AbortSignal, emailsToAddress?: EmailsToAddress): Promise<void> {
  const run = await takeRun(app, id);
  if (run === undefined) return;
  if (run.tries > MAX_TRIES) return failRun(app, run, RUNS_CUT_OFF);
  const over = new AbortController();
  const progress: Progress = { bytes: 0, rows: 0 };
  const ticks = setInterval(() => {
    noteProgress(app.db, run, progress).then(
      (isStillOurs) => isStillOurs || over.abort(new Error('the import was cancelled')),
      () => undefined,
    );
  }, PROGRESS_INTERVAL);
  const folder = mkdtempSync(join(tmpdir(), 'outreach-import-'));
  try {
    await importFile(app, run, { folder, progress, signal: AbortSignal.any([draining, over.signal]), emailsToAddress });
  } catch (error) {
    if (over.signal.aborted) return;
    if (draining.aborted) return await requeueRun(app.db, run);
    if (!(error instanceof OutreachError) || error.code === 'internal_error') throw error;
    await failRun(app, run, error.message);
  } finally {
    clearInterval(ticks);
    await rm(folder, { recursive: true, force: true });
  }
}

interface Importing {
  folder: string;
  progress: Progress;
  signal: AbortSignal;
  emailsToAddress: EmailsToAddress | undefined;
}

async function importFile(app: App, run: Run, { folder, progress, signal, emailsToAddress }: Importing): Promise<void> {
  const caller = await actingFor(app.db, run);
  if (caller === undefined || caller.role === 'view_only') return failRun(app, run, RIGHTS_LOST);
  const path = join(folder, 'upload.csv');
  const report = join(folder, 'problems.csv');
  await writeWhole(path, readFile(app.db, run.fileId), signal);
  const { dry_run: dryRun, create_fields: createFields, update, map } = run.options;
  const conclude = (tx: BulkTx, result: ImportResult) => concludeRun(tx, app, run, report, result);
  const request: ImportRequest = {
    ...{ path, report, dryRun, createFields, update, map, signal, conclude, words: apiWords(run.fileName) },
    list: run.options.list ?? undefined,
    encoding: run.options.encoding ?? undefined,
    delimiter: run.options.delimiter ?? undefined,
    skipLines: run.options.skip_lines ?? undefined,
    ...(emailsToAddress && { emailsToAddress }),
    progress: ({ bytes, rows }) => {
      Object.assign(progress, { bytes, rows });
    },
  };
  const result = await importContacts(app, caller, request);
  // A dry run is rolled back, but its result is stored.
  if (dryRun) await app.db.bulk((tx) => conclude(tx, result), { signal });
}

/** Ends a run with its result and its problems, in the transaction of the import. The last statement is the one that others wait for. */
async function concludeRun(tx: BulkTx, app: App, run: Run, report: string, result: ImportResult): Promise<void> {
  const { problems: _shown, report: _path, dry_run: _asked, ...outcome } = result;
  const problemCount = await copyProblems(tx, run.id, report);
  await completeRun(tx, run, outcome, problemCount, app.clock.now());
  await discardFile(tx, run.fileId);
}
