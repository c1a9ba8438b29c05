import { type Queryable, sql } from '../db/statement.ts';

/** Counts the messages in an account's mailbox that could not be read. Index: inbound_messages_unreadable. */
export async function countUnreadable(db: Queryable, accountId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from inbound_messages where account_id = ${accountId} and verdict = 'unreadable'`,
  );
  return row?.count ?? 0;
}

/** Counts the enrolments whose contact sent an auto-reply. */
export async function countAutoReplied(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(distinct enrolment_id)::int as count from inbound_messages where verdict = 'auto_reply'`,
  );
  return row?.count ?? 0;
}
