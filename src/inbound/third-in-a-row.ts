import { MAX_SOFT_BOUNCES } from '../campaigns/index.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { sequenceEmails } from '../outbox/index.ts';

/**
 * Returns true if an email is one of three consecutive emails of its enrolment that were temporarily returned. An email counts once,
 * however many reports arrive about it and in whatever order. Index: inbound_messages_email.
 */
export async function isThirdInARow(db: Queryable, enrolmentId: number, outboxId: number): Promise<boolean> {
  const emails = await sequenceEmails(db, enrolmentId, outboxId);
  const rows = await db.query<{ id: number }>(sql`
    select distinct im.outbox_id as id from inbound_messages im
    where im.outbox_id = any(${emails}::bigint[]) and im.verdict = 'soft_bounce' and im.writer = 'machine'`);
  const returned = new Set(rows.map(({ id }) => id));
  const at = emails.indexOf(outboxId);
  if (at === -1) return false;
  let [first, last] = [at, at];
  while (returned.has(emails[first - 1] as number)) first--;
  while (returned.has(emails[last + 1] as number)) last++;
  return last - first + 1 >= MAX_SOFT_BOUNCES;
}
