import { WORKER } from '../core/worker.ts';
import { prepared, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Lease of a claim in seconds, measured by the database's clock, which all daemons share. */
export const CLAIM_LEASE_SECONDS = 300;
/**
 * Lease of an email in transmission, in minutes: longer than the ten that RFC 5321 §4.5.3.2.6 allows for the reply to the final
 * dot.
 */
const TRANSMIT_LEASE_MINUTES = 15;

/** An email to claim: the due step of an enrolment. */
export interface NewClaim {
  enrolment_id: number;
  workspace_id: number;
  campaign_id: number;
  account_id: number;
  contact_id: number;
  variant: 'A' | 'B' | null;
  step_id: number;
  step_order: number;
  recipient: string;
  message_id: string;
  /** The day, `YYYY-MM-DD`, on which it counts against its campaign's limits, and true if as a first email; null without such limits. */
  counts_on: string | null;
  is_first: boolean | null;
}

/** A row of the outbox that this worker has claimed. */
export interface Claim extends NewClaim {
  id: number;
  attempt: number;
}

/**
 * Claims emails for this worker. Skips steps whose row is in any state but `retry`.
 * @param taken body of a CTE that clears the due time of their enrolments
 */
export function insertClaims(tx: Queryable, emails: readonly NewClaim[], now: Date, taken: Sql): Promise<Claim[]> {
  return tx.query<Claim>(
    prepared(
      'claim-emails',
      sql`
    with taken as (${taken})
    insert into outbox (workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_id, step_order, variant, recipient,
      state, worker, lease_until, message_id, claimed_at, counts_on, is_first)
    select d.workspace_id, d.campaign_id, d.enrolment_id, d.contact_id, d.account_id, d.step_id, d.step_order, d.variant, d.recipient,
      'claimed', ${WORKER}, now() + make_interval(secs => ${CLAIM_LEASE_SECONDS}), d.message_id, ${now}, d.counts_on, d.is_first
    from jsonb_to_recordset(${JSON.stringify(emails)}::jsonb) as d (workspace_id int, campaign_id int, enrolment_id int, contact_id int,
      account_id int, step_id int, step_order int, variant text, recipient text, message_id text, counts_on date, is_first boolean)
    on conflict (enrolment_id, step_id) do update set
      state = 'claimed', attempt = outbox.attempt + 1, worker = excluded.worker, lease_until = excluded.lease_until,
      claimed_at = excluded.claimed_at, account_id = excluded.account_id, recipient = excluded.recipient,
      message_id = excluded.message_id, step_order = excluded.step_order,
      counts_on = excluded.counts_on, is_first = excluded.is_first
    where outbox.state = 'retry'
    returning id, workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_id, step_order, variant, attempt, recipient, message_id,
      counts_on::text, is_first`,
    ),
  );
}

/** Condition: row `alias` is still this worker's claim for this account, with this attempt number. */
export const isOurClaim = (alias: string, attempt: Sql, accountId: Sql): Sql => {
  const o = raw(alias);
  return sql`${o}.state = 'claimed' and ${o}.worker = ${WORKER} and ${o}.attempt = ${attempt} and ${o}.account_id = ${accountId}
    and ${o}.lease_until > now()`;
};

/**
 * Subquery that selects and locks the email whose id is in the given column. `offset 0` keeps conditions on it out of the subquery: on a
 * small table, the planner would otherwise read all emails of an account.
 */
export const lockedEmail = (id: string): Sql => sql`(select * from outbox where outbox.id = ${raw(id)} offset 0 for update)`;

/**
 * Body of a CTE that marks emails as about to be transmitted. Stores their subject, the sources of their content and their reply account,
 * because after a crash these would be lost.
 * @param allowed a table expression with the emails: `id`, `account_id`, `subject`, `reply_account_id`, `content_key`, `content_values`
 * @param counted a table expression with the `account_id` of accounts below their daily limit
 */
export const markTransmitting = (allowed: string, counted: string, now: Date): Sql => sql`
  update outbox set state = 'transmitting', transmitting_at = ${now}, subject = allowed.subject,
    reply_account_id = allowed.reply_account_id, content_key = allowed.content_key, content_values = allowed.content_values,
    lease_until = now() + make_interval(mins => ${TRANSMIT_LEASE_MINUTES})
  from ${raw(allowed)} allowed where outbox.id = allowed.id and allowed.account_id in (select account_id from ${raw(counted)})`;

/** Body of a CTE that releases claims of this worker that were not attempted. Returns their `enrolment_id`. */
export const releaseClaimed = (ids: readonly number[]): Sql => sql`
  update outbox set state = 'retry', attempt = attempt - 1, worker = null, lease_until = null
  where id = any(${ids}::bigint[]) and state = 'claimed' and worker = ${WORKER}
  returning enrolment_id`;

/**
 * Body of a CTE that releases claims without a permit that no batch will send: their lease expired, or their worker no longer
 * runs a batch of their account, for example because the reply to its claim was lost. Returns their `enrolment_id` and
 * `account_id`. Index: outbox_open.
 * @param isInBatch a condition on row `o`: its worker runs a batch of its account
 */
export const releaseAbandoned = (isInBatch: Sql): Sql => sql`
  update outbox o set state = 'retry', attempt = attempt - 1, worker = null, lease_until = null
  where o.closed_at is null and o.step_id is not null and o.state = 'claimed' and (o.lease_until < now() or not ${isInBatch}) returning enrolment_id, account_id`;

/**
 * Releases emails that an account of this worker has certainly not sent. Returns the time of each permit, null without one.
 * `transmitting_at` stays, because it may be a resend of an email whose first copy the server has. Only releases claims of `accountId`: an
 * expired claim may belong to another account by now, which may be sending the email.
 */
export function releaseUntransmitted(
  tx: Tx,
  accountId: number,
  ids: readonly number[],
): Promise<{ enrolment_id: number; permitted_at: Date | null }[]> {
  return tx.query(sql`
    with old as (
      select id, enrolment_id, case when state = 'transmitting' then transmitting_at end as permitted_at from outbox
      where id = any(${ids}::bigint[]) and account_id = ${accountId} and state in ('claimed', 'transmitting') and worker = ${WORKER}
      for update)
    update outbox o set state = 'retry', attempt = o.attempt - 1, worker = null, lease_until = null
    from old where o.id = old.id returning old.enrolment_id, old.permitted_at`);
}
