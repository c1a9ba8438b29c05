import { prepared, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Values of an account whose server has been reached, once for a record and once for a statement. */
export const CONNECTED = { connection_failures: 0, connect_after: null, connection_error: null } as const;
const connected: Sql = sql`connection_failures = 0, connect_after = null, connection_error = null`;

/**
 * Counts a failed connection, or a temporary refusal of the account, and stores the server's message. The account sends nothing before
 * `connectAfter`, and then retries.
 */
export async function recordConnectionFailure(tx: Tx, accountId: number, error: string, connectAfter: Date): Promise<void> {
  await tx.query(sql`
    update accounts set connection_failures = connection_failures + 1, connect_after = ${connectAfter}, connection_error = ${error}
    where id = ${accountId}`);
}

/** Ends the pause after failed connections, because the server answers again. Returns false if there was none. */
export async function forgetConnectionFailures(tx: Tx, accountId: number): Promise<boolean> {
  const rows = await tx.query(sql`update accounts set ${connected} where id = ${accountId} and connection_failures > 0 returning id`);
  return rows.length > 0;
}

/** Refusals as unwanted (spam or policy) among the last `REFUSAL_WINDOW` emails that pause an account: 5%, at which providers suspend senders. */
const MAX_REFUSALS = 3;
const REFUSAL_WINDOW = 50;

/**
 * Counts an email that was refused or returned as unwanted. Returns true if at least 3 of the last 50 emails were, which is more than 5%.
 * Index: account_days_pkey.
 */
export async function countRefusal(tx: Tx, accountId: number): Promise<boolean> {
  const [row] = await tx.query<{ marks: number[]; accepted: number }>(sql`
    select a.refusal_marks as marks,
      (select coalesce(sum(d.accepted), 0)::int from account_days d where d.account_id = a.id) as accepted
    from accounts a where a.id = ${accountId} for no key update of a`);
  if (row === undefined) return false;
  const marks = [...row.marks, row.accepted].slice(-MAX_REFUSALS);
  await tx.query(sql`update accounts set refusal_marks = ${marks}::int[] where id = ${accountId}`);
  return marks.length === MAX_REFUSALS && row.accepted - Math.min(...marks) + MAX_REFUSALS <= REFUSAL_WINDOW;
}

/** Resets the failures of accounts whose server accepted an email. Writes only rows that change. */
export async function forgetFailures(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await tx.query(
    prepared(
      'forget-failures',
      sql`
      update accounts set ${connected}, refused_in_row = null where id = any(${[...new Set(accountIds)]}::int[])
        and (connection_failures > 0 or refused_in_row is not null)`,
    ),
  );
}
