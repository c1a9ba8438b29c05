import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { WORKER } from '../core/worker.ts';
import { prepared, type Sql, type Statement, sql } from '../db/statement.ts';
import { MAX_WAIT, type Poll } from './poll-lease.ts';

const MAX_ERROR = 2_000;

/** A complete poll. */
export interface EndedPoll extends Poll {
  /** Folders beside INBOX that were missing or refused, for the operator. */
  warning: string | null;
}

/**
 * The poll interval is the time since the account's latest batch divided by this: two minutes after a day, a quarter of an hour after a
 * week.
 */
const QUIET_DIVISOR = 720;

/**
 * Records complete polls of different accounts as of their start: messages that arrived later may not have been read. The interval to the
 * next poll starts there too, because the clock was compared with the database's then and may have been set since. Returns the time of the
 * next poll for each, null if the lease was lost. If an account is locked by a change, its result is a promise, so that it delays no other.
 * @param isAwaited condition: the mailbox of account `a` receives replies to running campaigns of other accounts
 */
export async function finishPolls(app: App, polls: readonly EndedPoll[], isAwaited: Sql): Promise<(Date | null | Promise<Date | null>)[]> {
  // Skips locked rows instead of waiting, so that two groups can't deadlock.
  const done = await recordEnds(app, prepared('end polls', endStatement(app, polls, isAwaited, sql`for no key update skip locked`)));
  const alone = async (poll: EndedPoll) => {
    const end = await recordEnds(app, endStatement(app, [poll], isAwaited, sql`for no key update`));
    return end.get(poll.accountId) ?? null;
  };
  return polls.map((poll) => done.get(poll.accountId) ?? alone(poll));
}

/** Returns the times of the next polls by account. */
async function recordEnds(app: App, statement: Statement): Promise<ReadonlyMap<number, Date>> {
  const rows = await app.db.query<{ id: number; next: Date }>(statement);
  return new Map(rows.map(({ id, next }) => [id, next]));
}

/** Index: accounts_pkey. */
function endStatement(app: App, polls: readonly EndedPoll[], isAwaited: Sql, lock: Sql): Sql {
  const ids = polls.map(({ accountId }) => accountId);
  return sql`
    with free as (select id from accounts where id = any(${ids}::int[]) and poll_worker = ${WORKER} ${lock})
    update accounts a set poll_worker = null, poll_lease_until = null, poll_error = null, poll_crashes = 0, poll_warning = e.warning,
      last_polled_at = e.since,
      next_poll_at = e.since + make_interval(secs => ${secondsToNext(app, isAwaited)})
    from free, unnest(${ids}::int[], ${polls.map(({ since }) => since)}::timestamptz[],
      ${polls.map(({ warning }) => warning?.slice(0, MAX_ERROR) ?? null)}::text[]) as e (id, since, warning)
    where e.id = free.id and a.id = free.id returning a.id, a.next_poll_at as next`;
}

/**
 * Replies come soon after an email or hardly ever. The longer ago an email last left an account or named it for replies, the less often its
 * mailbox is polled.
 */
function secondsToNext({ config }: App, isAwaited: Sql): Sql {
  const [shortest, longest] = [config.pollIntervalSeconds, config.pollLongestIntervalSeconds];
  return sql`case when ${isAwaited} then ${shortest}::float else greatest(${shortest}::float, least(${longest}::float,
    coalesce(extract(epoch from e.since - greatest(a.last_batch_at, a.promised_at))::float / ${QUIET_DIVISOR}, ${longest}))) end`;
}

/** Stores the error of a poll and delays the next one, up to an hour: the longer ago the last complete poll was, the longer. */
export async function postponePoll(app: App, { accountId, since }: Poll, error: string): Promise<void> {
  await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_error = ${error.slice(0, MAX_ERROR)}, poll_crashes = 0,
      next_poll_at = ${since}::timestamptz + least(make_interval(secs => ${MAX_WAIT / SECOND}),
        greatest(make_interval(secs => ${app.config.pollIntervalSeconds}), (${since}::timestamptz - last_polled_at) / 2))
    where id = ${accountId} and poll_worker = ${WORKER}`);
}
