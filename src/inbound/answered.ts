import { raw, type Sql, sql } from '../db/statement.ts';

/**
 * Condition: an inbound message references or returns the email whose id is in column `emailId`, which proves that the email was sent.
 * Index: inbound_messages_email.
 */
export const wasAnswered = (emailId: string): Sql =>
  sql`exists (select 1 from inbound_messages im where im.outbox_id = ${raw(emailId)} and im.proof in ('token', 'id', 'ref', 'returned'))`;
