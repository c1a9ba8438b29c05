import { type Queryable, sql } from '../../db/statement.ts';

/** What an enrolment was already sent from one mailbox: where its next mail belongs. */
export interface Thread {
  /** The subject of the first mail, as it was sent. */
  subject: string;
  /** The id that the last mail really carries. */
  inReplyTo: string;
  /** Every id of every mail so far, ours and the provider's, oldest first. */
  references: string[];
}

/** More would only make the header longer; RFC 5322 §3.6.4 wants the chain, and clients need its ends. */
const MAX_REFERENCES = 20;

/**
 * The threads of several enrolments from one account; an enrolment that was never mailed from it has none, and its
 * next mail opens a new one. Index: outbox_enrolment_id_step_id_key.
 */
export async function loadThreads(db: Queryable, accountId: number, enrolmentIds: readonly number[]): Promise<Map<number, Thread>> {
  const rows = await db.query<{ enrolment_id: number; message_id: string; provider_message_id: string | null; subject: string }>(sql`
    select enrolment_id, message_id, provider_message_id, coalesce(subject, '') as subject
    from outbox
    where enrolment_id = any(${enrolmentIds}::int[]) and account_id = ${accountId} and state = 'accepted'
    order by enrolment_id, accepted_at, id`);
  const threads = new Map<number, Thread>();
  for (const row of rows) {
    const ids = [row.message_id, row.provider_message_id].filter((id) => id !== null);
    const thread = threads.get(row.enrolment_id);
    threads.set(row.enrolment_id, {
      subject: thread?.subject ?? row.subject.replace(/^Re: /, ''),
      inReplyTo: row.provider_message_id ?? row.message_id,
      references: shorten([...(thread?.references ?? []), ...ids]),
    });
  }
  return threads;
}

const shorten = (ids: string[]) => (ids.length <= MAX_REFERENCES ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)]);
