import { type Queryable, sql } from '../db/statement.ts';
import { textOf } from '../mail/text-alternative.ts';
import { type Draft, draftColumns, isDraft } from './drafts.ts';

/** Adds the plain text to a row of `draftColumns`. */
export const asDraft = <Row extends Omit<Draft, 'body_text'>>(row: Row): Row & Pick<Draft, 'body_text'> => ({
  ...row,
  body_text: textOf(row.body_html),
});

/** Lists the drafts of answers to a reply, oldest first. Index: answers_drafts. */
export async function draftsOf(db: Queryable, replyId: number): Promise<Draft[]> {
  const rows = await db.query<Omit<Draft, 'body_text'>>(
    sql`select ${draftColumns('w')} from answers w where w.reply_id = ${replyId} and ${isDraft('w')} order by w.id`,
  );
  return rows.map(asDraft);
}
