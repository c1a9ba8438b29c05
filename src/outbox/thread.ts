import { type Queryable, sql } from '../db/statement.ts';
import { isAccepted } from './states.ts';

/** The thread of emails that one mailbox has sent for an enrolment. The next email continues it. */
export interface Thread {
  /** Subject of the first email, as it was sent. */
  subject: string;
  /** Our Message-ID of the first email. */
  firstMessageId: string;
  /** Message-ID of the last email: the provider's, if it replaced ours. */
  inReplyTo: string;
  /** Message-IDs of all emails so far, ours and the provider's, oldest first. */
  references: string[];
  /** Our Message-IDs only. */
  messageIds: string[];
}

/** Maximum number of Message-IDs in References. */
const MAX_REFERENCES = 20;

/**
 * Loads the threads of enrolments with one mailbox, by enrolment id. An enrolment without emails from the mailbox has no thread, so its
 * next email opens a new one. Index: outbox_enrolment_id_step_id_key.
 * @param accountIds all accounts, past and present, of this mailbox
 * @param enrolments each with the recipient of the next email, or null. With a recipient, the thread only contains emails to that mailbox,
 * because a contact whose address was replaced may be another person
 */
export async function loadThreads(
  db: Queryable,
  accountIds: readonly number[],
  enrolments: readonly { id: number; recipient: string | null }[],
): Promise<Map<number, Thread>> {
  const rows = await db.query<{ enrolment_id: number; message_id: string; provider_message_id: string | null; subject: string }>(sql`
    select o.enrolment_id, o.message_id, o.provider_message_id, coalesce(o.subject, '') as subject
    from unnest(${enrolments.map(({ id }) => id)}::int[], ${enrolments.map(({ recipient }) => recipient)}::text[]) e (id, recipient)
    join outbox o on o.enrolment_id = e.id and (e.recipient is null or mailbox_key(o.recipient) = mailbox_key(e.recipient))
    where o.account_id = any(${accountIds}::int[]) and ${isAccepted('o')}
    order by o.enrolment_id, o.accepted_at, o.id`);
  const threads = new Map<number, Thread>();
  for (const row of rows) {
    const ids = [row.message_id, row.provider_message_id].filter((id) => id !== null);
    const thread = threads.get(row.enrolment_id);
    threads.set(row.enrolment_id, {
      subject: thread?.subject ?? row.subject.replace(/^(?:re:\s*)+/i, ''),
      firstMessageId: thread?.firstMessageId ?? row.message_id,
      inReplyTo: row.provider_message_id ?? row.message_id,
      references: shortReferences([...(thread?.references ?? []), ...ids]),
      messageIds: shortReferences([...(thread?.messageIds ?? []), row.message_id]),
    });
  }
  return threads;
}

/**
 * Cuts the middle out of a long list of Message-IDs. RFC 5322 §3.6.4 asks for all of them, but email clients need only the first and the
 * last ones.
 */
export const shortReferences = (ids: string[]): string[] =>
  ids.length <= MAX_REFERENCES ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)];

/** Returns the thread of the copies that one address got. @param idOf returns the Message-ID of a copy for the Message-ID of the email */
export function threadOfCopies({ subject, firstMessageId, messageIds }: Thread, idOf: (messageId: string) => string): Thread {
  const ids = messageIds.map(idOf);
  const first = idOf(firstMessageId);
  return { subject, firstMessageId: first, inReplyTo: ids.at(-1) ?? first, references: ids, messageIds: ids };
}
