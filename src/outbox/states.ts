import { raw, type Sql, sql } from '../db/statement.ts';
import { isOneOf } from '../db/words.ts';

/**
 * `claimed` for a worker, with a lease; `transmitting` from the commit of its permit on; `accepted` by the server; to be
 * tried again at the next due time (`retry`); `failed` for good; `uncertain` while recovery looks for proof that the server
 * has it; `unknown` when there was none.
 */
export const OUTBOX_STATES = ['claimed', 'transmitting', 'accepted', 'retry', 'failed', 'uncertain', 'unknown'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** The states of an email that the server may or may not have. */
export type UnresolvedState = Extract<OutboxState, 'uncertain' | 'unknown'>;

const IN_FLIGHT = ['claimed', 'transmitting'] as const satisfies OutboxState[];
const UNRESOLVED = ['uncertain', 'unknown'] as const satisfies UnresolvedState[];

const isIn = (alias: string, states: readonly OutboxState[]): Sql => isOneOf(`${alias}.state`, states);

/** True for the states of an email that the server may or may not have. */
export const isUnresolvedState = (state: OutboxState): state is UnresolvedState => UNRESOLVED.some((one) => one === state);

/** Recovery still looks for proof that the server has email `alias`. */
export const isUncertain = (alias: string): Sql => isIn(alias, ['uncertain']);

/** Email `alias` was accepted by the server. */
export const isAccepted = (alias: string): Sql => isIn(alias, ['accepted']);

/** Email `alias` is claimed or being transmitted. Index: outbox_open. */
export const isInFlight = (alias: string): Sql => sql`${raw(alias)}.closed_at is null and ${isIn(alias, IN_FLIGHT)}`;

/** The server may or may not have email `alias`: recovery still looks for it, or it is left to a person. Index: outbox_open. */
export const isUnresolved = (alias: string): Sql => sql`${raw(alias)}.closed_at is null and ${isIn(alias, UNRESOLVED)}`;

/** Email `alias` is settled by the program itself before long: it is in flight or uncertain, not unknown. Index: outbox_campaign_open. */
export const isPending = (alias: string): Sql => sql`${raw(alias)}.closed_at is null and ${isIn(alias, [...IN_FLIGHT, 'uncertain'])}`;

/** Email `alias` is in flight or unresolved: whatever settles it moves its enrolment on. */
export const isOpen = (alias: string): Sql => isIn(alias, [...IN_FLIGHT, ...UNRESOLVED]);
