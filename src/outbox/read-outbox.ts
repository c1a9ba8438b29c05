import type { Caller } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import { empty, join, type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { isStepEmail } from './answers.ts';
import { isDone, isInFlight, isUnresolved, type OutboxState } from './states.ts';

/** An email of the outbox in the operator's list. */
export interface OutboxRow {
  id: number;
  campaign_id: number;
  campaign_name: string;
  contact_id: number;
  recipient: string;
  step_order: number;
  account_id: number;
  account_email: string;
  state: OutboxState;
  attempt: number;
  message_id: string;
  response: string | null;
  transmitting_at: string | null;
}

export interface OutboxFilter {
  /** Only emails whose delivery is unknown. */
  uncertain: boolean;
  /** Only emails before the one with this id. */
  before?: number;
  limit: number;
}

/**
 * Lists the newest emails of the caller's workspace, or of all workspaces for the operator. Indexes: outbox_open, or outbox_pkey backwards;
 * campaigns_pkey, accounts_pkey.
 */
export function listOutbox(db: Queryable, caller: Caller, { uncertain, before, limit }: OutboxFilter): Promise<OutboxRow[]> {
  const conditions = [
    ...(caller.isEverywhere ? [] : [sql`o.workspace_id = ${caller.workspaceId}`]),
    ...(uncertain ? [isUnresolved('o')] : []),
    ...(before === undefined ? [] : [sql`o.id < ${before}`]),
  ];
  return db.query<OutboxRow>(sql`
    select o.id, o.campaign_id, c.name as campaign_name, o.contact_id, o.recipient, o.step_order, o.account_id, a.email as account_email,
      o.state, o.attempt, o.message_id, o.response, ${timestamp('o.transmitting_at')} as transmitting_at
    from outbox o join campaigns c on c.id = o.campaign_id join accounts a on a.id = o.account_id
    ${conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`}
    order by o.id desc limit ${limit}`);
}

/** An email with its recipient, its state and the ids that it references. */
export interface Email {
  id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  enrolment_id: number;
  account_id: number;
  step_order: number;
  /** The reply that this email answers; null for a step of a sequence. */
  reply_id: number | null;
  recipient: string;
  state: OutboxState;
  /** Time of its last permit; null before the first. */
  transmitting_at: Date | null;
  /** True if its sequence has continued although its delivery is unknown. */
  is_continued: boolean;
}

const columns = sql`o.id, o.workspace_id, o.campaign_id, o.contact_id, o.enrolment_id, o.account_id, o.step_order, o.reply_id, o.recipient, o.state,
  o.transmitting_at, o.continued_at is not null as is_continued`;

/** Reads one email. Index: outbox_pkey. */
export async function findEmail(db: Queryable, id: number): Promise<Email | undefined> {
  const [row] = await db.query<Email>(sql`select ${columns} from outbox o where o.id = ${id}`);
  return row;
}

/** Returns true if the email belongs to the caller's workspace; always true for the operator. */
export const isEmailOf = (caller: Caller, { workspace_id: workspaceId }: Pick<Email, 'workspace_id'>): boolean =>
  caller.isEverywhere || workspaceId === caller.workspaceId;

/** Throws `not_found` unless `isEmailOf` is true. Index: outbox_pkey. */
export async function requireEmail(db: Queryable, caller: Caller, id: number): Promise<void> {
  const email = await findEmail(db, id);
  if (email === undefined || !isEmailOf(caller, email)) throw notFound('email');
}

/** Reads and locks one email. Index: outbox_pkey. */
export async function lockEmail(tx: Tx, id: number): Promise<Email | undefined> {
  const [row] = await tx.query<Email>(sql`select ${columns} from outbox o where o.id = ${id} for update`);
  return row;
}

/** Lists the ids of an enrolment's sent step emails, and of `outboxId`, in the order of sending. Index: outbox_enrolment_id_step_id_key. */
export async function sequenceEmails(db: Queryable, enrolmentId: number, outboxId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select o.id from outbox o
    where o.enrolment_id = ${enrolmentId} and ${isStepEmail('o')} and (${isDone('o')} or o.id = ${outboxId})
    order by coalesce(o.accepted_at, o.transmitting_at), o.id`);
  return rows.map(({ id }) => id);
}

/**
 * Returns true if a worker with a valid lease may be sending an email to one of the contacts. Indexes: outbox_open, outbox_campaign_open.
 */
export async function isEmailInFlightTo(db: Queryable, contactIds: readonly number[]): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from outbox o
    where ${isInFlight('o')} and o.contact_id = any(${contactIds}::int[]) and o.lease_until > clock_timestamp() limit 1`);
  return rows.length > 0;
}
