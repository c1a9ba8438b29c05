import type { App } from '../app.ts';
import { possibleContents, type SentRow, sentColumns, sentHtml } from '../campaigns/index.ts';
import { sql } from '../db/statement.ts';
import { textOf } from '../mail/text-alternative.ts';

/** A thread with a person is seldom longer, and answers repeat its last emails. */
const MAX_EMAILS = 20;

/**
 * The text of the emails that an enrolment was sent, newest first, for finding what an answer repeats of them. Where the recipient was
 * erased, the words of the step still tell our own footer from a request to be removed. Index: outbox_enrolment_id_step_id_key.
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
