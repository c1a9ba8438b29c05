import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../core/clock.ts';
import { type Queryable, sql } from './statement.ts';

/** Seconds within which a readiness check must get its answer. */
const ANSWER_SECONDS = 5;

/**
 * Returns why the database can't be written to now, or undefined if it can. A connection whose other end has vanished stays silent for
 * minutes, and so does a pool without a free connection: silence counts as a problem.
 */
export async function databaseProblem(db: Queryable, seconds = ANSWER_SECONDS): Promise<string | undefined> {
  const answer = db.query<{ is_read_only: boolean }>(sql`select current_setting('transaction_read_only')::boolean as is_read_only`).then(
    ([row]) => (row?.is_read_only ? 'the database is read-only (a standby, or default_transaction_read_only)' : undefined),
    () => 'the database does not respond',
  );
  return Promise.race([answer, wait(seconds * SECOND, `the database did not respond within ${seconds} s`, { ref: false })]);
}
