import { type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** The error of such a mailbox, in `doctor`, `status` and the API. */
const SET_ASIDE =
  'set aside, because its daemon crashed twice while it read this mailbox; to have it read again: outreach account connect ADDRESS';

/** Selects the workers that send, poll or watch an account, as the column `worker`. */
export const accountWorkers: Sql = sql`
  select batch_worker as worker from accounts where batch_worker is not null
  union select poll_worker from accounts where poll_worker is not null
  union select idle_worker from accounts where idle_worker is not null`;

/** A mailbox that is not polled any more, because it seems to be what ended its daemons. */
export interface SetAside {
  id: number;
  email: string;
  workspace_id: number;
  created_by: number | null;
}

/**
 * Releases the accounts that dead workers were sending, polling or watching. A mailbox that was being polled when two of them died is set aside,
 * and returned. It was polled alone the second time, so no other one is taken for it.
 */
export async function endAccountLeasesOf(tx: Tx, workers: readonly string[]): Promise<SetAside[]> {
  await tx.query(sql`update accounts set batch_worker = null, batch_lease_until = null where batch_worker = any(${workers}::text[])`);
  const polled = await tx.query<SetAside & { poll_crashes: number }>(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_crashes = poll_crashes + 1,
      poll_error = case when poll_crashes >= 1 then ${SET_ASIDE} else poll_error end
    where poll_worker = any(${workers}::text[]) returning id, email, workspace_id, created_by, poll_crashes`);
  await tx.query(sql`update accounts set idle_worker = null, idle_lease_until = null where idle_worker = any(${workers}::text[])`);
  return polled.filter(({ poll_crashes: crashes }) => crashes >= 2);
}
