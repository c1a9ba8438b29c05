import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Stringifier, stringify } from 'csv-stringify';
import { CSV_OPTIONS } from '../../files/csv-text.ts';
import { fileProblem } from '../../files/file-problem.ts';

/** Outcome of a line that did not become a new contact, is suppressed, or was emailed as another contact, who is deleted. */
export const OUTCOMES = ['rejected', 'duplicate', 'exists', 'suppressed', 'emailed_before'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A line with a problem. The first twenty are returned; the report file has all of them. */
export interface Problem {
  line: number;
  outcome: Outcome;
  reason: string;
}

const MAX_PROBLEMS_SHOWN = 20;
const COLUMNS = ['line', 'email', 'outcome', 'reason'];

/** A CSV file that is being written. */
interface ReportFile {
  rows: Stringifier;
  /** Resolves when all rows are on disk; rejects as soon as writing fails. */
  written: Promise<void>;
}

/** The CSV report of an import, written while the file is read. Memory holds only the first problems. */
export class ImportReport {
  readonly problems: Problem[] = [];
  readonly #file: ReportFile | undefined;

  private constructor(file: ReportFile | undefined) {
    this.#file = file;
  }

  /** Opens the report, without a file if `path` is undefined. Throws `invalid_request` if the file can't be written. */
  static async open(path: string | undefined): Promise<ImportReport> {
    if (path === undefined) return new ImportReport(undefined);
    const failed = (error: unknown) => {
      throw fileProblem(`--report: ${path}`, 'written', error);
    };
    const file = await open(path, 'w', 0o600).catch(failed);
    const rows = stringify({ ...CSV_OPTIONS, header: true, columns: COLUMNS });
    const written = pipeline(rows, file.createWriteStream()).catch(failed);
    // The error reaches the caller that adds a row or closes the report.
    written.catch(() => undefined);
    return new ImportReport({ rows, written });
  }

  /** Adds a problem. Throws if the report can't be written, for example because the disk is full. */
  async addProblem(problem: Problem, email: string): Promise<void> {
    if (this.problems.length < MAX_PROBLEMS_SHOWN) this.problems.push(problem);
    if (this.#file === undefined) return;
    const { rows, written } = this.#file;
    if (rows.destroyed) return written;
    const { line, outcome, reason } = problem;
    const cells = [line, email.replaceAll(/[\r\n]+/g, ' '), outcome, reason.replaceAll(/[\r\n]+/g, ' ')];
    if (!rows.write(cells)) await once(rows, 'drain').catch(() => written);
  }

  /** Resolves when all problems are written. Throws as `addProblem` does. */
  async close(): Promise<void> {
    this.#file?.rows.end();
    await this.#file?.written;
  }
}
