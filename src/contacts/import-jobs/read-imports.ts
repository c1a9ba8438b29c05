import { type Caller, isAdmin } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../../db/page.ts';
import { empty, type Queryable, type Sql, sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import type { ImportResult, Problem } from '../import/index.ts';

export const IMPORT_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** The options of an import, as in the command `contact import`. */
export interface ImportOptions {
  list: string | null;
  /** Items of the form `column=field`. */
  map: string[];
  update: boolean;
  create_fields: boolean;
  dry_run: boolean;
  encoding: string | null;
  delimiter: string | null;
  /** Number of lines above the header; null to find it. */
  skip_lines: number | null;
}

/** The outcome of an import, in lines of its file. */
export type ImportOutcome = Omit<ImportResult, 'problems' | 'report' | 'dry_run'>;

export interface ImportRow extends ImportOptions {
  id: number;
  status: ImportStatus;
  file_name: string;
  file_size: number;
  bytes_read: number;
  rows_read: number;
  /** Null unless completed. */
  result: ImportOutcome | null;
  /** Number of lines listed as problems. */
  problem_count: number;
  /** Reason why it failed. */
  error: string | null;
  created_by: number | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** A line that did not become a new contact, or whose address is suppressed. */
export interface ProblemRow {
  line: number;
  email: string;
  outcome: Problem['outcome'];
  reason: string;
}

const columns = sql`i.id, i.status, i.file_name, i.file_size, i.options, i.bytes_read, i.rows_read, i.result, i.problem_count, i.error, i.created_by,
  ${timestamp('i.created_at')} as created_at, ${timestamp('i.started_at')} as started_at, ${timestamp('i.finished_at')} as finished_at`;

/**
 * Condition: the caller may see import `i`. Only its creator and the admins of its workspace may, because it names contacts of all users.
 */
const seenBy = (caller: Caller): Sql =>
  sql`i.workspace_id = ${caller.workspaceId}${isAdmin(caller) ? empty : sql` and i.created_by = ${caller.userId}`}`;

type StoredRow = Omit<ImportRow, keyof ImportOptions> & { options: ImportOptions };

const shown = ({ options, ...row }: StoredRow): ImportRow => ({ ...row, ...options });

/** Lists the imports that the caller may see, the newest first. Index: imports_list. */
export async function listImports(
  db: Queryable,
  caller: Caller,
  filter: { status?: ImportStatus | undefined },
  page: PageRequest,
): Promise<Page<ImportRow>> {
  const found = sql`from imports i where ${seenBy(caller)}${filter.status === undefined ? empty : sql` and i.status = ${filter.status}`}`;
  const { data, pagination } = await listPage<StoredRow>(
    db,
    sql`select ${columns} ${found} order by i.id desc`,
    sql`select count(*)::int as total ${found}`,
    page,
  );
  return { data: data.map(shown), pagination };
}

/** Reads an import. Throws `not_found` for one that the caller may not see. */
export async function getImport(db: Queryable, caller: Caller, id: number): Promise<ImportRow> {
  const [row] = await db.query<StoredRow>(sql`select ${columns} from imports i where i.id = ${id} and ${seenBy(caller)}`);
  if (row === undefined) throw notFound('import');
  return shown(row);
}

/** Lists the problems of an import by line. Throws `not_found` as `getImport` does. Index: the primary key. */
export async function listProblems(db: Queryable, caller: Caller, id: number, page: PageRequest): Promise<Page<ProblemRow>> {
  const { problem_count: total } = await getImport(db, caller, id);
  const data = await db.query<ProblemRow>(sql`
    select line, email, outcome, reason from import_problems where import_id = ${id} order by line, outcome
    limit ${page.limit} offset ${page.offset}`);
  return { data, pagination: { total, limit: page.limit, offset: page.offset } };
}
