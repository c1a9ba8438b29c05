import { raw, type Sql, sql } from '../db/statement.ts';
import { isOneOf } from '../db/words.ts';

/**
 * States of an email. `claimed`: by a worker, with a lease. `transmitting`: its permit is committed. `accepted`: by the server. `retry`:
 * sent again at the next due time. `failed`: permanently. `uncertain`: recovery is looking for proof that the server has it. `unknown`:
 * recovery found no proof.
 */
export const OUTBOX_STATES = ['claimed', 'transmitting', 'accepted', 'retry', 'failed', 'uncertain', 'unknown'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** The states of an email that the server may or may not have. */
export type UnresolvedState = Extract<OutboxState, 'uncertain' | 'unknown'>;

const IN_FLIGHT = ['claimed', 'transmitting'] as const satisfies OutboxState[];
const UNRESOLVED = ['uncertain', 'unknown'] as const satisfies UnresolvedState[];

const isIn = (alias: string, states: readonly OutboxState[]): Sql => isOneOf(`${alias}.state`, states);

/** Returns true for the states of an email that the server may or may not have. */
export const isUnresolvedState = (state: OutboxState): state is UnresolvedState => UNRESOLVED.some((one) => one === state);

/** Condition: recovery is still looking for proof that the server has email `alias`. */
export const isUncertain = (alias: string): Sql => isIn(alias, ['uncertain']);

/** Condition: the server certainly does not have email `alias`, which will be retried. Index: outbox_open. */
export const isRetry = (alias: string): Sql => sql`${raw(alias)}.closed_at is null and ${isIn(alias, ['retry'])}`;

/** Condition: email `alias` was accepted by the server. */
export const isAccepted = (alias: string): Sql => isIn(alias, ['accepted']);

/** Condition: the server has, or may have, email `alias`. */
export const isSent = (alias: string): Sql => isIn(alias, ['transmitting', 'accepted', ...UNRESOLVED]);

/** Condition: email `alias` counts against its campaign's limits on that day: it is not waiting for a retry. Index: outbox_limited. */
export const limitedEmails = (alias: string, day: string): Sql =>
  sql`${raw(alias)}.counts_on = ${day}::date and ${isIn(
    alias,
    OUTBOX_STATES.filter((state) => state !== 'retry'),
  )}`;

/** Condition: email `alias` is claimed or being transmitted. Index: outbox_open. */
export const isInFlight = (alias: string): Sql => sql`${raw(alias)}.closed_at is null and ${isIn(alias, IN_FLIGHT)}`;

/** Condition: the server may or may not have email `alias`, which recovery or a user must resolve. Index: outbox_open. */
export const isUnresolved = (alias: string): Sql => sql`${raw(alias)}.closed_at is null and ${isIn(alias, UNRESOLVED)}`;

/** Condition: email `alias` is unknown, and its sequence waits for it. Index: outbox_open. */
export const isWaitedFor = (alias: string): Sql =>
  sql`${raw(alias)}.closed_at is null and ${isIn(alias, ['unknown'])} and ${raw(alias)}.continued_at is null`;

/** Condition: the step of email `alias` is done, because the server accepted it or the sequence continued despite its unknown delivery. */
export const isDone = (alias: string): Sql => sql`(${isAccepted(alias)} or ${raw(alias)}.continued_at is not null)`;

/**
 * Condition: email `alias` will soon have an outcome without a user's decision: in flight or uncertain, not unknown. Index:
 * outbox_campaign_open.
 */
export const isPending = (alias: string): Sql => sql`${raw(alias)}.closed_at is null and ${isIn(alias, [...IN_FLIGHT, 'uncertain'])}`;

/** Condition: email `alias` is in flight or unresolved; its outcome will advance its enrolment. */
export const isOpen = (alias: string): Sql => isIn(alias, [...IN_FLIGHT, ...UNRESOLVED]);
