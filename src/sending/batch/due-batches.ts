import type { Scope } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type Backlog, lagSeconds } from '../../db/backlog.ts';
import { type Queryable, type Sql, sql } from '../../db/database.ts';

/** Account `a` should have begun its next batch by now, whether or not a worker is at it. */
const isBatchDue = (now: Date): Sql =>
  sql`a.status = 'active' and a.deleted_at is null and not a.is_archived and a.next_batch_at <= ${now}`;

/**
 * Accounts whose next batch is due and not being sent, longest due first. Index: accounts_batch.
 * @param limit how many at most; the rest comes with the next tick
 */
export async function dueBatches(app: App, limit: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    select a.id from accounts a
    where ${isBatchDue(app.clock.now())} and (a.batch_lease_until is null or a.batch_lease_until < now())
    order by a.next_batch_at limit ${limit}`);
  return rows.map((row) => row.id);
}

/** Counts the accounts in scope whose next batch is due. Index: accounts_batch. */
export async function readBatchBacklog(db: Queryable, scope: Scope, now: Date): Promise<Backlog> {
  const [row] = await db.query<Backlog>(sql`
    select count(*)::int as due, ${lagSeconds(sql`min(a.next_batch_at)`, now)} as lag_seconds
    from accounts a where ${isBatchDue(now)} and ${scope('accounts', 'a')}`);
  return row ?? { due: 0, lag_seconds: 0 };
}
