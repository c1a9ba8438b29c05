import type { Placed, Room } from '../core/room.ts';
import { readPlaced } from '../db/in-turns.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Lease of a copy in seconds, measured by the database's clock: longer than filing a copy in a slow mailbox takes. */
const LEASE_SECONDS = 600;

/**
 * Body of a CTE that stores answers exactly as they are about to be transmitted, until a copy is in the Sent folder. Replaces a message
 * left by an earlier attempt.
 * @param allowed a table expression with the answers: `id`, `account_id`, and `message`, null if no copy is filed
 * @param counted a table expression with the `account_id` of accounts below their daily limit
 */
export const keepForSentFolder = (allowed: string, counted: string): Sql => sql`
  insert into sent_copies (outbox_id, message)
  select id, message from ${raw(allowed)} where message is not null and account_id in (select account_id from ${raw(counted)})
  on conflict (outbox_id) do update set message = excluded.message, due_at = null, tries = 0, lease_until = null, begun_at = null`;

/** Makes the stored copy of an accepted answer due. Does nothing if no copy is stored. */
export async function scheduleCopy(tx: Tx, id: number, dueAt: Date): Promise<void> {
  await tx.query(sql`update sent_copies set due_at = ${dueAt} where outbox_id = ${id}`);
}

/** Deletes the stored copy of an answer, after it was filed or given up. */
export async function forgetCopy(db: Queryable, id: number): Promise<void> {
  await db.query(sql`delete from sent_copies where outbox_id = ${id}`);
}

/** Deletes the due copies of an account for which we file none, for example because its server does. */
export async function forgetCopiesOf(db: Queryable, accountId: number): Promise<void> {
  await db.query(sql`
    delete from sent_copies s using outbox o where o.id = s.outbox_id and o.account_id = ${accountId} and s.due_at is not null`);
}

const isDue = (now: Date): Sql => sql`s.due_at <= ${now} and (s.lease_until is null or s.lease_until < now())`;

/** Lists the accounts with copies to file. Index: sent_copies_due. */
export async function accountsWithDueCopies(db: Queryable, now: Date, room: Room): Promise<Placed[]> {
  return readPlaced(
    db,
    room,
    sql`select distinct o.account_id as id, o.workspace_id, null::timestamptz as due_at
      from sent_copies s join outbox o on o.id = s.outbox_id where ${isDue(now)}`,
  );
}

/** A copy that this process has claimed. */
export interface ClaimedCopy {
  /** Id of the answer in the outbox. */
  id: number;
  messageId: string;
  /** The answer as it was sent. */
  message: Buffer;
  sentAt: Date;
  tries: number;
  /** True if an earlier attempt may have appended it. */
  isBegun: boolean;
}

/** Claims the oldest due copy of an account. Skips copies that another process is claiming. Index: sent_copies_due. */
export async function claimCopy(db: Queryable, accountId: number, now: Date): Promise<ClaimedCopy | undefined> {
  const [copy] = await db.query<ClaimedCopy>(sql`
    with due as (
      select s.outbox_id from sent_copies s join outbox o on o.id = s.outbox_id where o.account_id = ${accountId} and ${isDue(now)}
      order by s.outbox_id limit 1 for update of s skip locked)
    update sent_copies s set tries = s.tries + 1, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from due join outbox o on o.id = due.outbox_id where s.outbox_id = due.outbox_id
    returning o.id, o.message_id as "messageId", s.message, coalesce(o.accepted_at, ${now}) as "sentAt", s.tries,
      s.begun_at is not null as "isBegun"`);
  return copy;
}

/** Records that a copy is about to be appended. Returns false if the claim was lost. */
export async function beginCopy(db: Queryable, { id, tries }: ClaimedCopy, now: Date): Promise<boolean> {
  const rows = await db.query(sql`
    update sent_copies set begun_at = ${now} where outbox_id = ${id} and tries = ${tries} and lease_until > now() returning outbox_id`);
  return rows.length > 0;
}

/** Makes a copy that could not be filed due again. */
export async function postponeCopy(db: Queryable, { id, tries }: ClaimedCopy, dueAt: Date): Promise<void> {
  await db.query(sql`update sent_copies set due_at = ${dueAt}, lease_until = null where outbox_id = ${id} and tries = ${tries}`);
}
