import type { App } from '../app.ts';
import { possibleContents, type SentRow, sentColumns, sentHtml } from '../campaigns/index.ts';
import { sql } from '../db/statement.ts';
import { textOf } from '../mail/text-alternative.ts';

/** Threads with a contact are rarely longer, and replies quote the latest emails. */
const MAX_EMAILS = 20;

/**
 * Returns the text of the emails sent to an enrolment, newest first, to find what a reply quotes from them. If the recipient was erased,
 * the step's text still lets us distinguish our own footer from an unsubscribe request. Index: outbox_enrolment_id_step_id_key.
 */
export async function sentText(app: App, enrolmentId: number): Promise<string> {
  const rows = await app.db.query<SentRow & { possible: SentRow['content'][] | null }>(sql`
    select ${sentColumns('o')}, ${possibleContents('o')} as possible from outbox o
    where o.enrolment_id = ${enrolmentId} and o.transmitting_at is not null order by o.id desc limit ${MAX_EMAILS}`);
  const bodies = rows.flatMap(({ possible, ...row }) =>
    (possible ?? [row.content]).map((content) => sentHtml({ ...row, content, content_values: row.content_values ?? {} }) ?? ''),
  );
  return bodies.map((html) => textOf(html)).join('\n\n');
}
