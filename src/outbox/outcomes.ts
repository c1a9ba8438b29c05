import { WORKER } from '../core/worker.ts';
import { prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isUnresolved } from './states.ts';

/** An email in transmission that the server accepted. */
export interface AcceptedEmail {
  id: number;
  attempt: number;
  subject: string;
  at: Date;
  /** The server's reply. */
  response: string;
  /** The Message-ID that the server assigned in place of ours, if any. */
  provider: string | null;
}

/**
 * Records accepted emails. Returns the ids of those that this worker still owned.
 *
 * Rows are found by an array of ids: with a join, a planner that expects one of our rows would read the whole table for it.
 */
export async function recordAccepted(tx: Tx, emails: readonly AcceptedEmail[]): Promise<Set<number>> {
  const byId = Object.fromEntries(emails.map(({ id, ...email }) => [id, email]));
  const rows = await tx.query<{ id: number }>(
    prepared(
      'record-accepted',
      sql`
      update outbox o set state = 'accepted', worker = null, lease_until = null,
        (response, provider_message_id, subject, accepted_at, closed_at) = (select d.response, d.provider, d.subject, d.at, d.at
          from jsonb_to_record(given.by_id -> o.id::text) as d (subject text, at timestamptz, response text, provider text))
      from (select ${JSON.stringify(byId)}::jsonb as by_id) given
      where o.id = any((select ${emails.map(({ id }) => id)}::bigint[])::bigint[]) and o.attempt = (given.by_id -> o.id::text -> 'attempt')::int
        and o.state = 'transmitting' and o.worker = ${WORKER}
      returning o.id`,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Records that the server may or may not have an email of this worker. */
export async function recordUncertain(db: Queryable, email: { id: number; attempt: number }, subject: string, text: string): Promise<void> {
  await db.query(sql`
    update outbox set state = 'uncertain', response = ${text}, subject = ${subject}, worker = null, lease_until = null
    where id = ${email.id} and attempt = ${email.attempt} and state = 'transmitting' and worker = ${WORKER}`);
}

/** Marks emails whose worker ended while transmitting them as `uncertain`. Index: outbox_open. */
export async function markExpiredUncertain(db: Queryable): Promise<void> {
  await db.query(sql`
    update outbox set state = 'uncertain', response = coalesce(response, 'the sender ended before the server''s answer was recorded'),
      worker = null, lease_until = null
    where closed_at is null and state = 'transmitting' and lease_until < now()`);
}

/** Records that an unresolved email was accepted at `proof.at`, with the evidence. Returns false if it was already resolved. */
export async function recordProof(tx: Tx, id: number, proof: { at: Date; evidence: string }, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update outbox o set state = 'accepted', response = ${proof.evidence}, accepted_at = ${proof.at}, closed_at = ${now}
    where o.id = ${id} and ${isUnresolved('o')} returning o.id`);
  return rows.length > 0;
}

/** Marks an uncertain email as unknown, for a user to resolve. */
export async function markUnknown(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`update outbox set state = 'unknown' where id = ${id} and state = 'uncertain'`);
}

/** Records that the sequence of an unknown email continued without it. */
export async function markContinued(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.query(sql`update outbox set continued_at = ${now} where id = ${id} and continued_at is null`);
}

/** Puts an unsent email back into state `retry`. @param countsAttempt false if the attempt does not count */
export async function recordRetry(tx: Tx, id: number, text: string, countsAttempt: boolean): Promise<void> {
  await tx.query(sql`
    update outbox set state = 'retry', response = ${text}, worker = null, lease_until = null, attempt = attempt - ${countsAttempt ? 0 : 1}
    where id = ${id}`);
}

/** Resets the number of attempts of an email. */
export async function resetAttempts(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`update outbox set attempt = 0 where id = ${id}`);
}

/**
 * Records and returns the addresses that get a copy of an accepted email.
 * @param isSuppressed condition on `copy.address` and email `o` for addresses that get no copy
 */
export async function recordCopies(db: Queryable, id: number, addresses: readonly string[], isSuppressed: Sql): Promise<string[]> {
  const [row] = await db.query<{ copies: string[] }>(sql`
    update outbox o set copies = array(
      select copy.address from unnest(${addresses}::text[]) with ordinality copy (address, place) where not ${isSuppressed} order by copy.place)
    where o.id = ${id} returning o.copies`);
  return row?.copies ?? [];
}

/** Closes an email that failed permanently. */
export async function recordFailed(tx: Tx, id: number, text: string, now: Date): Promise<void> {
  await tx.query(sql`
    update outbox set state = 'failed', response = ${text}, closed_at = ${now}, worker = null, lease_until = null where id = ${id}`);
}

/**
 * Queues an unresolved email again under the same Message-ID, as a user decided. The lost attempt does not count, because no server refused
 * it.
 */
export async function resend(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`update outbox set state = 'retry', attempt = attempt - 1 where id = ${id}`);
}

/** Reopens a step's failed email in its existing row, because the outbox has one row for each enrolment and step. */
export async function reopenFailed(tx: Tx, enrolmentId: number, stepId: number): Promise<void> {
  await tx.query(sql`
    update outbox set state = 'retry', attempt = 0, closed_at = null
    where enrolment_id = ${enrolmentId} and step_id = ${stepId} and state = 'failed'`);
}

/**
 * Records the Message-ID that a provider assigned to an email in place of ours, as seen in the first message about it; the next email of
 * the thread refers to both. Keeps an id that is already known.
 */
export async function learnProviderId(tx: Tx, id: number, messageId: string): Promise<void> {
  await tx.query(sql`update outbox set provider_message_id = ${messageId} where id = ${id} and provider_message_id is null`);
}
