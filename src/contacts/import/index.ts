import { basename } from 'node:path';
import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { invalid, messageOf, OutreachError } from '../../core/errors.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { lockNameInTransaction } from '../../db/lock.ts';
import { sql } from '../../db/statement.ts';
import { refreshStatistics } from '../../db/statistics.ts';
import { nameText } from '../../fields/fields.ts';
import { type CsvWords, commandWords, type Dialect, findDialect } from '../../files/csv-dialect.ts';
import { fileSize } from '../../files/input-file.ts';
import { createTextFields, listCustomFields, lockCustomFields } from '../custom-fields.ts';
import { type Columns, findColumns, mapOptions } from './columns.ts';
import { type EmailsToAddress, type Merged, mergeRows } from './merge.ts';
import { ImportReport, type Problem } from './report.ts';
import { risksIn } from './risky.ts';
import { readHeader, type Source, type Staged, stageRows } from './stage.ts';

export { standardField } from './header-words.ts';
export type { EmailsToAddress } from './merge.ts';
export { type ImportPreview, previewImport } from './preview.ts';
export { OUTCOMES, type Problem } from './report.ts';
export { RISKS, type RiskyAddresses } from './risky.ts';

export interface ImportRequest {
  path: string;
  /** Names of the file and its options in messages; those of a command by default. */
  words?: CsvWords;
  /** Name of a list, which is created if it does not exist. */
  list?: string | undefined;
  /** Items of the form `column=field`. */
  map?: readonly string[];
  update?: boolean;
  dryRun?: boolean;
  /** Path of the report: every line that did not become a new contact, with the reason. */
  report?: string | undefined;
  encoding?: string | undefined;
  delimiter?: string | undefined;
  /** Number of lines above the header; found if it is undefined. */
  skipLines?: number | undefined;
  /** True to create a custom field for every column that is not recognized. */
  createFields?: boolean;
  /** Finds the campaigns that emailed an address that is new again; without it, they are not looked up. */
  emailsToAddress?: EmailsToAddress;
  signal?: AbortSignal | undefined;
  progress?: (state: ImportProgress) => void;
  /** Runs at the end of the import's transaction, but not for a dry run, which has no effects. */
  conclude?: (tx: BulkTx, result: ImportResult) => Promise<void>;
}

/** Progress of reading: `bytes` of `size`, with `rows` rows. After that, the rows are merged in one statement. */
export interface ImportProgress {
  phase: 'reading' | 'merging';
  bytes: number;
  size: number;
  rows: number;
}

export interface ImportResult extends Staged, Merged {
  list_id: number | null;
  dry_run: boolean;
  encoding: string;
  delimiter: string;
  /** Keys of the custom fields that were created. */
  created_fields: string[];
  /** Columns that were not recognized and not imported. */
  ignored_columns: string[];
  /** The first twenty problems, by line. */
  problems: Problem[];
  report: string | null;
}

/** The words of a connection that broke while rows were copied, which name neither the database nor a way on. */
const CONNECTION_LOST = /EPIPE|ECONNRESET|terminat/i;

/**
 * Imports contacts from a CSV file of any common dialect. The file is streamed, so memory does not grow with it. The import is one
 * transaction: any interruption (an aborted `signal`, a kill, a full disk, a lost database) leaves nothing behind, and it can be run again.
 * Throws `invalid_request` for a file that is not CSV or has no address column.
 */
export async function importContacts(app: App, caller: Caller, request: ImportRequest): Promise<ImportResult> {
  const { words = commandWords(request.path) } = request;
  const size = fileSize(request.path);
  const dialect = await findDialect(request.path, request, words);
  const source = sourceOf(request, words, dialect, size);
  const header = await readHeader(source);
  const mapped = mapOptions(request.map ?? [], words);
  const found = findColumns(header, mapped, await listCustomFields(app.db, caller), words);
  const report = await ImportReport.open(request.report);
  const run = async (tx: BulkTx) => {
    // Another import may have created the same fields in the meantime.
    const present = request.createFields ? findColumns(header, mapped, await lockCustomFields(tx, caller), words) : found;
    const created = request.createFields ? await createTextFields(tx, app, caller, present.ignored.map(fieldName)) : [];
    const columns = created.length === 0 ? present : findColumns(header, mapped, created, words);
    const staged = await stageRows(tx, source, columns, await risksIn(tx, caller.workspaceId, app.clock.now()), report);
    request.progress?.({ phase: 'merging', bytes: size, size, rows: staged.rows });
    const listId = request.list === undefined ? null : await listNamed(tx, app, caller, request.list, words);
    const merged = await mergeRows(
      tx,
      app,
      caller,
      { listId, update: request.update ?? false, emailsToAddress: request.emailsToAddress },
      report,
    );
    const problems = report.problems.toSorted((one, other) => one.line - other.line);
    const result = { ...staged, ...merged, list_id: listId, dry_run: request.dryRun ?? false, created_fields: newKeys(present, columns) };
    await audit(tx, caller, app.clock.now(), {
      action: 'contact.import',
      resourceType: 'contact',
      resourceId: null,
      changes: { file: basename(words.file), ...result },
    });
    await report.close();
    const { encoding, delimiter } = dialect;
    const all = { ...result, encoding, delimiter, ignored_columns: columns.ignored, problems, report: request.report ?? null };
    if (!request.dryRun) await request.conclude?.(tx, all);
    return all;
  };
  const result = await inTransaction(app, run, request)
    .catch((error: unknown) => {
      if (error instanceof OutreachError) throw error;
      const reason = messageOf(error);
      const said = CONNECTION_LOST.test(reason) ? `the connection to the database was lost (${reason}); try again` : reason;
      throw new OutreachError('internal_error', `nothing was imported: ${said}; for a check of the installation, run: outreach doctor`, {
        cause: error,
      });
    })
    .finally(() => report.close().catch(() => undefined));
  if (!result.dry_run)
    await refreshStatistics(app.db.pool, ['contacts', 'list_members'], result.imported).catch((error: unknown) =>
      app.log.warn({ reason: messageOf(error) }, 'PostgreSQL could not analyze the tables after an import; it will do so by itself later'),
    );
  return result;
}

/** Returns the name of the field that is created for a column. The columns of an export are named after the keys, such as `cf.city`. */
function fieldName(column: string): string {
  const checked = nameText.safeParse(column.replace(/^cf\./, ''));
  if (!checked.success)
    throw invalid(`the column "${column.slice(0, 100)}" can't become a custom field: ${checked.error.issues[0]?.message}`);
  return checked.data;
}

const newKeys = (before: Columns, after: Columns): string[] =>
  after.custom.map(({ field }) => field.key).filter((key) => !before.custom.some(({ field }) => field.key === key));

/** Runs the import in a transaction; a dry run does everything and rolls it back. */
async function inTransaction<Result>(app: App, run: (tx: BulkTx) => Promise<Result>, { signal, dryRun }: ImportRequest): Promise<Result> {
  if (!dryRun) return app.db.bulk(run, { signal });
  let result: { of: Result } | undefined;
  const rollback = new Error('dry run');
  await app.db
    .bulk(
      async (tx) => {
        result = { of: await run(tx) };
        throw rollback;
      },
      { signal },
    )
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  if (result === undefined) throw rollback;
  return result.of;
}

function sourceOf(request: ImportRequest, words: CsvWords, dialect: Dialect, size: number): Source {
  return {
    ...{ path: request.path, words, dialect, signal: request.signal },
    progress: (bytes, rows) => request.progress?.({ phase: 'reading', bytes, size, rows }),
  };
}

/** Finds a list by name, ignoring case, or creates it; returns its id. Throws `invalid_request` if several have the name. */
async function listNamed(tx: BulkTx, app: App, caller: Caller, text: string, { option }: CsvWords): Promise<number> {
  const checked = nameText.safeParse(text);
  if (!checked.success) throw invalid(`${option('list')}: ${checked.error.issues[0]?.message}`);
  const name = checked.data;
  const find = async (): Promise<number | undefined> => {
    const lists = await tx.query<{ id: number }>(sql`
      select id from lists where workspace_id = ${caller.workspaceId} and deleted_at is null and lower(name) = lower(${name}) for key share`);
    if (lists.length > 1) throw invalid(`${option('list')}: ${lists.length} lists are named "${name}"; rename all but one first`);
    return lists[0]?.id;
  };
  const found = await find();
  if (found !== undefined) return found;
  // Waits for another import that is creating the list, which is invisible until that import ends.
  await lockNameInTransaction(tx, `list ${caller.workspaceId} ${name.toLowerCase()}`);
  const foundSince = await find();
  if (foundSince !== undefined) return foundSince;
  const now = app.clock.now();
  const [made] = await tx.query<{ id: number }>(sql`
    insert into lists (workspace_id, name, created_by, created_at) values (${caller.workspaceId}, ${name}, ${caller.userId}, ${now}) returning id`);
  if (made === undefined) throw new Error('the list was not created');
  await audit(tx, caller, now, { action: 'list.create', resourceType: 'list', resourceId: made.id, changes: { name } });
  return made.id;
}
