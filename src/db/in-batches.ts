import type { Sql } from './statement.ts';

/** Rows that one statement of a clean-up changes: few enough to keep its locks short and to let vacuum keep up. */
export const BATCH_SIZE = 5_000;

/** The part of the database that a clean-up needs. */
interface Statements {
  query(statement: Sql): Promise<unknown[]>;
}

/**
 * Repeats a statement, each time in a transaction of its own, until it finds nothing more to change or the signal aborts.
 * @param statement changes at most `BATCH_SIZE` rows and returns a row for each
 * @returns the number of rows in all
 */
export async function inBatches(db: Statements, statement: Sql, signal?: AbortSignal): Promise<number> {
  for (let changed = 0; ; ) {
    const rows = signal?.aborted ? [] : await db.query(statement);
    changed += rows.length;
    if (rows.length === 0) return changed;
  }
}
