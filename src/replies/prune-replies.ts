import { type Sql, sql } from '../db/statement.ts';

/**
 * Clears sender, subject and text of the replies of inbound messages. Index: replies_inbound_id_key.
 * @param messages a query for message ids
 */
export const clearReplies = (messages: Sql): Sql => sql`
  update replies set sender = '', sender_name = '', subject = '', own_text = '', full_text = '', files = '[]' where inbound_id in (${messages})`;
