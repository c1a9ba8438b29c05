import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { fileProblem } from '../../files/file-problem.ts';
import { formulaSafe } from '../export/formula-cell.ts';

/** What happened to a line that did not simply become a new contact. */
export type Outcome = 'rejected' | 'duplicate' | 'exists' | 'suppressed';

/** The first few lines with a problem, for people; the file, where one is wanted, has all of them. */
export interface Problem {
  line: number;
  outcome: Outcome;
  reason: string;
}

const SHOWN = 20;
const REPORT_HEADER = 'line,email,outcome,reason\n';

/** The report of an import: CSV, written as lines are met. Memory holds the first problems only. */
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

  /** Throws `invalid_request` when the file can't be written. */
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

  /** Takes rows that are CSV already: line, email, outcome, reason, none of which holds a line break. */
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

  /** Resolves when every line is in the file. Throws when the disk is full, for example. */
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

/** A line that PostgreSQL wrote: addresses hold no comma and no quote, so the first three commas part it. */
function problemOf(row: string): Problem {
  const [line = '', , outcome = '', ...reason] = row.split(',');
  return { line: Number(line), outcome: outcome as Outcome, reason: reason.join(',').replaceAll(/^"|"$/g, '') };
}
