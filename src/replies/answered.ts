import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { publishReply } from './publish.ts';

/** Marks a reply as read, in the transaction of the action that handles it. */
export async function markRead(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`update replies set is_read = true, later_until = null, has_returned = false
    where id = ${id} and (not is_read or later_until is not null or has_returned)`);
}

/** Returns postponed replies whose time has come to the top, as unread. Index: replies_first. */
export async function returnReplies(app: App): Promise<void> {
  await app.db.query(sql`
    update replies set later_until = null, has_returned = true, is_read = false where later_until <= ${app.clock.now()}`);
}

/** Records that the server accepted an answer to a reply, and publishes that. */
export async function recordAnswered(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.query(sql`update replies set answered_at = greatest(answered_at, ${at}) where id = ${id}`);
  await publishReply(tx, 'reply.answered', id, at);
}
