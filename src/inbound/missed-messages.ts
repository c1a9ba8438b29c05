import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** A message that was not read, because the server did not return it or because it is unreadable. */
export interface MissedMessage {
  folder: string;
  uid: number;
  /** If the server refused, in its own words. */
  reason: string;
  /** Time of the next attempt to fetch it; null if it is quarantined. */
  retry_at: string | null;
}

const MAX_LISTED = 20;

/**
 * Lists the latest unread messages of a mailbox, first those to be fetched again. Indexes: reading_tries_pkey, inbound_messages_unreadable.
 */
export function missedMessages(db: Queryable, accountId: number): Promise<MissedMessage[]> {
  return db.query(sql`
    (select folder, uid, reason, ${timestamp('retry_at')} as retry_at from reading_tries
      where account_id = ${accountId} and retry_at is not null order by uid desc limit ${MAX_LISTED})
    union all
    (select folder, uid, reasons ->> 0, null from inbound_messages
      where account_id = ${accountId} and verdict = 'unreadable' order by id desc limit ${MAX_LISTED})`);
}

/** Counts the messages of all mailboxes that a server did not return and that will be fetched again. */
export async function countMissing(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from reading_tries where retry_at is not null`);
  return row?.count ?? 0;
}
