import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { publishReply } from './publish.ts';

/** Marks a reply as read in the transaction of what somebody does about it. */
export async function markRead(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`update replies set is_read = true where id = ${id} and not is_read`);
}

/** Notes that the server accepted an answer to a reply, and publishes it. */
export async function recordAnswered(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.query(sql`update replies set answered_at = greatest(answered_at, ${at}) where id = ${id}`);
  await publishReply(tx, 'reply.answered', id, at);
}
