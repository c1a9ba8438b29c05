import { type Sql, sql } from '../db/statement.ts';

/** Clears sender, subject and text of replies older than `before`; at most `most` in one statement, which returns a row for each. Index: replies_text. */
export const clearReplies = (before: Date, most: number): Sql => sql`
  update replies set sender = '', sender_name = '', subject = '', own_text = '', full_text = '', files = '[]' where id in (
    select id from replies where (sender <> '' or subject <> '' or full_text <> '') and created_at < ${before} order by created_at limit ${most})
  returning 1`;
