import type { App } from '../app.ts';
import { DAY } from '../core/clock.ts';
import { BATCH_SIZE, inBatches } from '../db/in-batches.ts';
import { sql } from '../db/statement.ts';
import { clearReplies } from '../replies/index.ts';

/**
 * Deletes the records of old messages that were not about our emails. Clears sender, subject and text of old messages about our emails, and
 * of their replies. Those rows stay: they explain the state of an enrolment, prove that an email arrived, and prevent a message that is
 * found again from having its effect twice. Returns the number of messages. Indexes: inbound_messages_unrelated, inbound_messages_text.
 */
export async function pruneMessages(app: App, signal?: AbortSignal): Promise<number> {
  const before = (days: number) => new Date(app.clock.now().getTime() - days * DAY);
  const deleted = sql`
    delete from inbound_messages where id in (
      select id from inbound_messages where enrolment_id is null and created_at < ${before(app.config.retentionUnrelatedMessages)}
      order by created_at limit ${BATCH_SIZE})
    returning 1`;
  const cleared = sql`
    with cleared as (
      update inbound_messages set sender = null, subject = null, snippet = null where id in (
        select id from inbound_messages
        where enrolment_id is not null and (sender is not null or subject is not null or snippet is not null)
          and created_at < ${before(app.config.retentionReplies)}
        order by created_at limit ${BATCH_SIZE})
      returning id
    ), replies as (${clearReplies(sql`select id from cleared`)})
    select 1 from cleared`;
  let changed = 0;
  for (const statement of [deleted, cleared]) changed += await inBatches(app.db, statement, signal);
  return changed;
}
