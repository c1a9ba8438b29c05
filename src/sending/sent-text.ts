import type { App } from '../app.ts';
import { type SentRow, sentColumns, sentHtml } from '../campaigns/index.ts';
import { sql } from '../db/statement.ts';
import { textOf } from '../mail/compose.ts';

/** A thread with a person is seldom longer, and answers repeat its last emails. */
const MAX_EMAILS = 20;

/**
 * The text of the emails that an enrolment was sent, newest first, for finding what an answer repeats of them. Index:
 * outbox_enrolment_id_step_id_key.
 */
export async function sentText(app: App, enrolmentId: number): Promise<string> {
  const rows = await app.db.query<SentRow>(sql`
    select ${sentColumns('o')} from outbox o
    where o.enrolment_id = ${enrolmentId} and o.transmitting_at is not null order by o.id desc limit ${MAX_EMAILS}`);
  return rows.map((row) => textOf(sentHtml(row) ?? '')).join('\n\n');
}
