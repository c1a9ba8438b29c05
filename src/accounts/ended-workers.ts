import { MINUTE } from '../core/clock.ts';
import { type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * Crashes after which a mailbox is no longer read. It is read alone before the last two, so a single crash with another cause does not stop
 * it.
 */
export const MAX_POLL_CRASHES = 3;
/**
 * Milliseconds until a mailbox is polled again after a crash while it was read alone. If something else causes the crashes, they happen
 * with other mailboxes in that time.
 */
const SUSPECT_DELAY = MINUTE;
/** The error of a mailbox that is no longer read, in `doctor`, `status` and the API. */
const NO_LONGER_READ =
  'no longer read, because the daemon crashed three times while it read this mailbox; to have it read again: outreach account connect ADDRESS';

/** Selects the workers that send, poll or watch an account, as the column `worker`. */
export const accountWorkers: Sql = sql`
  select batch_worker as worker from accounts where batch_worker is not null
  union select poll_worker from accounts where poll_worker is not null
  union select idle_worker from accounts where idle_worker is not null`;

/** A mailbox that is no longer read, because daemons crashed while they read it. */
export interface UnreadMailbox {
  id: number;
  email: string;
  workspace_id: number;
  created_by: number | null;
}

/** Releases the accounts that dead workers were sending, polling or watching. Returns the mailboxes that will no longer be read. */
export async function endAccountLeasesOf(tx: Tx, workers: readonly string[], now: Date): Promise<UnreadMailbox[]> {
  await tx.query(sql`update accounts set batch_worker = null, batch_lease_until = null where batch_worker = any(${workers}::text[])`);
  const polled = await tx.query<UnreadMailbox & { poll_crashes: number }>(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_crashes = poll_crashes + 1,
      next_poll_at = case when poll_crashes = 0 then next_poll_at else ${new Date(now.getTime() + SUSPECT_DELAY)}::timestamptz end,
      poll_error = case when poll_crashes + 1 >= ${MAX_POLL_CRASHES} then ${NO_LONGER_READ} else poll_error end
    where poll_worker = any(${workers}::text[]) returning id, email, workspace_id, created_by, poll_crashes`);
  await tx.query(sql`update accounts set idle_worker = null, idle_lease_until = null where idle_worker = any(${workers}::text[])`);
  return polled.filter(({ poll_crashes: crashes }) => crashes >= MAX_POLL_CRASHES);
}
