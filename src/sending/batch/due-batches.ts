import type { App } from '../../app.ts';
import { sql } from '../../db/database.ts';

/**
 * Accounts whose next batch is due now, longest due first. Index: accounts_batch.
 * @param limit how many at most; the rest comes with the next tick
 */
export async function dueBatches(app: App, limit: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    select id from accounts
    where status = 'active' and deleted_at is null and not is_archived and next_batch_at <= ${app.clock.now()}
      and (batch_lease_until is null or batch_lease_until < now())
    order by next_batch_at limit ${limit}`);
  return rows.map((row) => row.id);
}
