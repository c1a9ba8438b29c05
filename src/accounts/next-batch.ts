import { type Viewer, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import type { Placed, Room } from '../core/room.ts';
import { type Backlog, lagSeconds } from '../db/backlog.ts';
import { readPlaced } from '../db/in-turns.ts';
import { prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { canSend } from './conditions.ts';

/** Condition: the next batch of account `a` is due, even if a worker is sending it. */
const isBatchDue = (now: Date): Sql => sql`${canSend('a')} and a.next_batch_at <= ${now}`;

/** Lists accounts for which there is room and whose next batch is due and not being sent. Index: accounts_batch. */
export async function dueBatches(app: App, room: Room): Promise<Placed[]> {
  return readPlaced(
    app.db,
    room,
    sql`select a.id, a.workspace_id, a.next_batch_at as due_at from accounts a
      where ${isBatchDue(app.clock.now())} and (a.batch_lease_until is null or a.batch_lease_until < now())`,
  );
}

/** Milliseconds after which a due batch that has not begun counts as waiting for a place. */
const START_TOLERANCE = 15 * SECOND;

/** The time that a batch of the account has waited for a place, and the number of accounts of its workspace that are sending. */
export interface BatchWait {
  seconds: number;
  sending: number;
}

/** Reads how long the account's batch has waited for a place; undefined if it is not due, has just become due or is being sent. */
export async function readBatchWait(db: Queryable, accountId: number, now: Date): Promise<BatchWait | undefined> {
  const [wait] = await db.query<BatchWait>(sql`
    select extract(epoch from ${now}::timestamptz - a.next_batch_at)::int as seconds,
      (select count(*)::int from accounts o where o.workspace_id = a.workspace_id and o.batch_lease_until > now()) as sending
    from accounts a where a.id = ${accountId} and ${isBatchDue(new Date(now.getTime() - START_TOLERANCE))} and (a.batch_lease_until > now()) is not true`);
  return wait;
}

/** Counts the accounts that the viewer sees whose next batch is due. Index: accounts_batch. */
export async function readBatchBacklog(db: Queryable, viewer: Viewer, now: Date): Promise<Backlog> {
  const [row] = await db.query<Backlog>(sql`
    select count(*)::int as due, ${lagSeconds(sql`min(a.next_batch_at)`, now)} as lag_seconds
    from accounts a where ${isBatchDue(now)} and ${visible(viewer, 'accounts', 'a')}`);
  return row ?? { due: 0, lag_seconds: 0 };
}

/** Sets the time of the next batch, unless the account was woken since `wakes` was read; then it stays due. */
export async function setNextBatch(app: App, accountId: number, wakes: number, nextBatchAt: Date | null): Promise<void> {
  await app.db.query(
    prepared('set-next-batch', sql`update accounts set next_batch_at = ${nextBatchAt} where id = ${accountId} and wakes = ${wakes}`),
  );
}

/**
 * Records the start of a batch and the last campaign in it, for the interval and the fair shares of the next batch. Replies may arrive from
 * now on, so the mailbox is polled within the shortest interval.
 */
export async function recordBatch(app: App, accountId: number, at: Date, lastCampaignId: number | null): Promise<void> {
  const soon = new Date(at.getTime() + app.config.pollIntervalSeconds * SECOND);
  await app.db.query(
    prepared(
      'record-batch',
      sql`
    update accounts set last_batch_at = ${at}, last_campaign_id = ${lastCampaignId},
      next_poll_at = case when next_poll_at > ${soon} then ${soon} else next_poll_at end
    where id = ${accountId}`,
    ),
  );
}

/**
 * Undoes `recordBatch` for a batch that sent nothing to a server, so that the next one follows the batch before it.
 * @param before the account's former values
 */
export async function unrecordBatch(
  app: App,
  accountId: number,
  before: { lastBatchAt: Date | null; lastCampaignId: number | null },
): Promise<void> {
  await app.db.query(sql`
    update accounts set last_batch_at = ${before.lastBatchAt}, last_campaign_id = ${before.lastCampaignId} where id = ${accountId}`);
}

/** Makes the account look for work at the given time, unless its next batch is due earlier. */
export const wakeAccount = (tx: Tx, accountId: number, at: Date): Promise<void> => wakeAccounts(tx, [accountId], at);

/** Wakes several accounts, like `wakeAccount`. */
export async function wakeAccounts(tx: Tx, accountIds: readonly number[], at: Date): Promise<void> {
  if (accountIds.length === 0) return;
  await tx.query(sql`
    update accounts set next_batch_at = least(next_batch_at, ${at}::timestamptz), wakes = wakes + 1
    where id = any(${[...new Set(accountIds)]}::int[])`);
}

/** True while a batch or a poll of any account is due or in progress. Reads all accounts. */
export async function isAnyAccountBusy(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(sql`
    select from accounts where (status = 'active' and next_batch_at <= ${now}) or batch_worker is not null
      or next_poll_at <= ${now} or poll_worker is not null`);
  return rows.length > 0;
}
