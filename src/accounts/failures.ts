import { prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Values of an account whose server was reached, for a record and for a statement. */
export const CONNECTED = { connection_failures: 0, connect_after: null, connection_error: null } as const;
const connected: Sql = sql`connection_failures = 0, connect_after = null, connection_error = null`;

/**
 * Counts a failed connection, or a temporary refusal of the account, and keeps the server's words. The account sends nothing
 * before `connectAfter`, then tries again by itself.
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

/** Counts an email that the server refused as unwanted (spam or policy). */
export async function countRefusal(tx: Tx, accountId: number): Promise<void> {
  await tx.query(sql`update accounts set refusals = refusals + 1 where id = ${accountId}`);
}

/** Number of consecutive emails that the server refused as unwanted. */
export async function refusalsInARow(db: Queryable, accountId: number): Promise<number> {
  const [row] = await db.query<{ refusals: number }>(sql`select refusals from accounts where id = ${accountId}`);
  return row?.refusals ?? 0;
}

/** Resets the failures and refusals of accounts whose server accepted an email. Writes only rows that change. */
export async function forgetFailures(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await tx.query(
    prepared(
      'forget-failures',
      sql`
      update accounts set ${connected}, refusals = 0
      where id = any(${[...new Set(accountIds)]}::int[]) and (connection_failures > 0 or refusals > 0)`,
    ),
  );
}
