import { raw, type Sql, sql } from '../db/statement.ts';

/**
 * Condition: a message came in that proves that the email with the id in column `emailId` was sent, because it names or returns it.
 * Index: inbound_messages_email.
 */
export const wasAnswered = (emailId: string): Sql =>
  sql`exists (select 1 from inbound_messages im where im.outbox_id = ${raw(emailId)} and im.proof in ('token', 'id', 'ref', 'returned'))`;
