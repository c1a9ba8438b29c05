import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { fileProblem } from '../../files/file-problem.ts';
import { formulaSafe } from '../../files/formula-cell.ts';

/** Outcome of a line that did not become a new contact, or is suppressed. */
export type Outcome = 'rejected' | 'duplicate' | 'exists' | 'suppressed';

/** A line with a problem. The first twenty are returned; the report file has all of them. */
export interface Problem {
  line: number;
  outcome: Outcome;
  reason: string;
}

const SHOWN = 20;
const REPORT_HEADER = 'line,email,outcome,reason\n';

/** The CSV report of an import, written while the file is read. Memory holds only the first problems. */
export class ImportReport {
  readonly problems: Problem[] = [];
  readonly #path: string | undefined;
  readonly #file: WriteStream | undefined;
  #failure: Error | undefined;

  private constructor(path: string | undefined, file: WriteStream | undefined) {
    this.#path = path;
    this.#file = file;
    file?.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** Opens the report, without a file if `path` is undefined. Throws `invalid_request` if the file can't be written. */
  static async open(path: string | undefined): Promise<ImportReport> {
    if (path === undefined) return new ImportReport(undefined, undefined);
    const file = createWriteStream(path, { mode: 0o600 });
    try {
      await once(file, 'open');
    } catch (error) {
      throw fileProblem(`--report: ${path}`, 'written', error);
    }
    const report = new ImportReport(path, file);
    await report.write(REPORT_HEADER);
    return report;
  }

  async reject(line: number, email: string, reason: string): Promise<void> {
    this.#show({ line, outcome: 'rejected', reason });
    if (this.#file !== undefined) await this.write(`${[String(line), email, 'rejected', reason].map(quoted).join(',')}\n`);
  }

  /** Appends rows in CSV: line, email, outcome and reason, none of which may hold a line break. */
  async writeRows(rows: AsyncIterable<Buffer>): Promise<void> {
    let rest = '';
    for await (const chunk of rows) {
      if (this.problems.length < SHOWN) {
        const lines = (rest + chunk.toString('utf8')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#show(problemOf(line));
      }
      await this.write(chunk);
    }
  }

  async write(text: string | Buffer): Promise<void> {
    this.#check();
    if (this.#file?.write(text) === false) await Promise.race([once(this.#file, 'drain'), once(this.#file, 'close')]);
    this.#check();
  }

  /** Resolves when all lines are written. Throws if they can't be, for example because the disk is full. */
  async close(): Promise<void> {
    if (this.#file !== undefined) {
      this.#file.end();
      if (!this.#file.closed) await once(this.#file, 'close').catch(() => undefined);
    }
    this.#check();
  }

  #show(problem: Problem): void {
    if (this.problems.length < SHOWN) this.problems.push(problem);
  }

  #check(): void {
    if (this.#failure !== undefined) throw fileProblem(`--report: ${this.#path}`, 'written', this.#failure);
  }
}

const quoted = (text: string): string =>
  `"${formulaSafe(text)
    .replaceAll('"', '""')
    .replaceAll(/[\r\n]+/g, ' ')}"`;

/** Parses a line that PostgreSQL wrote. Addresses hold no comma and no quote, so the first three commas separate the fields. */
function problemOf(row: string): Problem {
  const [line = '', , outcome = '', ...reason] = row.split(',');
  return { line: Number(line), outcome: outcome as Outcome, reason: reason.join(',').replaceAll(/^"|"$/g, '') };
}
