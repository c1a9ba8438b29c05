import { prepared, type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Counts a failed connection or login. Returns the number of consecutive ones. */
export async function countConnectionFailure(tx: Tx, accountId: number): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(
    sql`update accounts set connection_failures = connection_failures + 1 where id = ${accountId} returning connection_failures as failures`,
  );
  return row?.failures ?? 0;
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
      update accounts set connection_failures = 0, refusals = 0
      where id = any(${[...new Set(accountIds)]}::int[]) and (connection_failures > 0 or refusals > 0)`,
    ),
  );
}
