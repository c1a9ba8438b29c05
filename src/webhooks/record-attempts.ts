import { audit, daemon } from '../access/index.ts';
import type { App } from '../app.ts';
import { quantity } from '../core/english.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { Claimed, Target } from './claim.ts';
import type { PostResult } from './post.ts';
import { isGone, pauseAfter, restAfter, retryAfter } from './schedule.ts';

interface Attempted {
  message: Claimed;
  result: PostResult;
}

export const isDelivered = ({ status }: PostResult): boolean => status !== null && status >= 200 && status < 300;

/** Returns the delay in milliseconds that a 429 or 503 response requests. */
const requestedDelay = ({ status, retryAfter: after }: PostResult, now: Date) =>
  status === 429 || status === 503 ? retryAfter(after, now) : 0;

/**
 * Records the outcomes of attempts at one webhook (delivered, to be retried, failed permanently) and updates the webhook's failures,
 * pausing or disabling it if needed. Returns true if more messages may be sent to it immediately.
 */
export async function recordAttempts(app: App, target: Target, attempted: readonly Attempted[]): Promise<boolean> {
  const now = app.clock.now();
  const outcomes = attempted.map(({ message, result }) => outcomeOf(app, message, result, now));
  return app.db.tx(async (tx) => {
    await tx.query(sql`
      update webhook_deliveries d set status = r.status, next_attempt_at = r.next_attempt_at::timestamptz, response_status = r.response_status,
        response = r.response, error = r.error, duration_ms = r.duration_ms
      from json_to_recordset(${JSON.stringify(outcomes)}::json) as r (id bigint, attempts integer, status text, next_attempt_at text,
        response_status integer, response text, error text, duration_ms integer)
      where d.id = r.id and d.attempts = r.attempts and d.status = 'pending'`);
    return recordWebhookResult(tx, app, target, attempted, now);
  });
}

function outcomeOf(app: App, message: Claimed, result: PostResult, now: Date) {
  const pause = isDelivered(result) ? null : pauseAfter(message.attempts, app.random);
  const isOver = isDelivered(result) || pause === null;
  const wait = Math.max(pause ?? 0, requestedDelay(result, now));
  return {
    id: message.id,
    attempts: message.attempts,
    status: isDelivered(result) ? 'delivered' : pause === null ? 'failed' : 'pending',
    next_attempt_at: isOver ? null : new Date(now.getTime() + wait).toISOString(),
    response_status: result.status,
    response: result.response,
    error: result.error ?? (isDelivered(result) ? null : `answered ${result.status}`),
    duration_ms: result.milliseconds,
  };
}

async function recordWebhookResult(tx: Tx, app: App, target: Target, attempted: readonly Attempted[], now: Date): Promise<boolean> {
  const [record] = await tx.query<{
    consecutive_failures: number;
    failing_since: Date | null;
    is_enabled: boolean;
  }>(sql`
    select consecutive_failures, failing_since, is_enabled from webhooks
    where id = ${target.id} and deleted_at is null for no key update`);
  if (record === undefined) return false;
  const failed = attempted.filter(({ result }) => !isDelivered(result));
  const hasSuccess = failed.length < attempted.length;
  const failures = hasSuccess ? 0 : record.consecutive_failures + failed.length;
  const failingSince = hasSuccess ? null : (record.failing_since ?? now);
  const rest = Math.max(restAfter(failures), ...failed.map(({ result }) => requestedDelay(result, now)));
  await tx.query(sql`
    update webhooks set consecutive_failures = ${failures}, failing_since = ${failingSince},
      last_success_at = case when ${hasSuccess} then ${now}::timestamptz else last_success_at end,
      last_failure_at = case when ${failed.length > 0} then ${now}::timestamptz else last_failure_at end,
      rests_until = ${rest === 0 ? null : new Date(now.getTime() + rest)}
    where id = ${target.id}`);
  const reason = failed.some(({ result }) => result.status === 410)
    ? 'the receiver returned 410 Gone'
    : isGone(failures, failingSince, now)
      ? `${quantity(failures, 'failure')} and no success for five days`
      : undefined;
  if (reason !== undefined && record.is_enabled) await disableWebhook(tx, app, target, reason, now);
  return reason === undefined && rest === 0;
}

/** Disables a webhook on behalf of the daemon, and records the reason in the audit log and the daemon's log. */
export async function disableWebhook(
  tx: Tx,
  app: App,
  target: Pick<Target, 'id' | 'workspace_id'>,
  reason: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`update webhooks set is_enabled = false, disabled_reason = ${reason}, updated_at = ${now} where id = ${target.id}`);
  await audit(tx, daemon(target.workspace_id), now, {
    action: 'webhook.disable',
    resourceType: 'webhook',
    resourceId: target.id,
    changes: { is_enabled: [true, false], reason },
  });
  tx.afterCommit(async () =>
    app.log.warn({ webhook: target.id, reason }, `a webhook was disabled; to enable it, run: outreach webhook enable ${target.id}`),
  );
}
