import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../core/clock.ts';
import { type Queryable, sql } from './statement.ts';

/** Time after which a readiness check must have its answer. */
const ANSWER_SECONDS = 5;

/**
 * Why nothing can be written to the database now, or undefined when it can be. A connection whose other end has vanished
 * answers nothing for minutes, and neither does a pool all of whose connections are taken: silence counts as a problem.
 */
export async function databaseProblem(db: Queryable, seconds = ANSWER_SECONDS): Promise<string | undefined> {
  const answer = db.query<{ is_read_only: boolean }>(sql`select current_setting('transaction_read_only')::boolean as is_read_only`).then(
    ([row]) => (row?.is_read_only ? 'the database is read-only (a standby, or default_transaction_read_only)' : undefined),
    () => 'the database does not respond',
  );
  return Promise.race([answer, wait(seconds * SECOND, `the database did not respond within ${seconds} s`, { ref: false })]);
}
