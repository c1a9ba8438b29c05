import { audit, type Caller, lockRecord } from '../access/index.ts';
import type { App } from '../app.ts';
import { quantity } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import { empty, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { keptFor, webhookIsOff } from './deliveries.ts';
import type { Webhook } from './entities.ts';
import { mayReceive } from './publish.ts';
import { WEBHOOK } from './read-webhook.ts';
import { HIGH_VOLUME_TYPES, requireTypes, WEBHOOK_TYPES } from './types.ts';

export interface ReplayInput {
  since: Date;
  /** By default now. */
  until?: Date | undefined;
  types?: string[] | undefined;
  /** Only deliveries that failed permanently. */
  only_failed?: boolean | undefined;
}

/** Selects events of a workspace by type and time; `until` is exclusive. */
export interface Past {
  workspaceId: number;
  since: Date;
  until: Date;
  types: readonly string[];
}

/**
 * Selects messages, in the columns that `publish` takes, for past events whose id is not among the `event_id`s of the
 * table expression `published`.
 */
export type PastMessages = (past: Past, published: string) => Sql;

/**
 * Redelivers all messages of a time span, each under its original `webhook-id`, and delivers those that were never sent because the webhook
 * was disabled or did not exist yet. Returns the number of messages queued. Throws `not_found`, `conflict` for a disabled webhook, and
 * `invalid_request` for an unknown type and for a span that is empty or begins before the oldest deliveries that are kept.
 */
export async function replay(
  app: App,
  caller: Caller,
  webhookId: number,
  input: ReplayInput,
  pastMessages: PastMessages,
): Promise<{ queued: number }> {
  const now = app.clock.now();
  const until = input.until ?? now;
  if (input.since.getTime() < now.getTime() - keptFor(app))
    throw invalid(`since: deliveries are kept for ${quantity(app.config.retentionWebhookDeliveries, 'day')}`);
  if (until <= input.since) throw invalid('until: must be later than since');
  if (input.types !== undefined) requireTypes(input.types, WEBHOOK_TYPES);
  return app.db.tx(async (tx) => {
    const webhook = await lockRecord(tx, caller, WEBHOOK, webhookId);
    if (!webhook.is_enabled) throw webhookIsOff();
    const again = await requeue(tx, webhookId, { ...input, until }, now);
    const past = { workspaceId: webhook.workspace_id, since: input.since, until, types: wantedTypes(webhook, input.types) };
    const missed = input.only_failed ? 0 : await queueMissed(tx, webhookId, past, pastMessages, now);
    webhook.rests_until = null;
    const queued = again + missed;
    await audit(tx, caller, now, {
      action: 'webhook.replay',
      resourceType: 'webhook',
      resourceId: webhookId,
      changes: { ...input, queued },
    });
    return { queued };
  });
}

/** Makes the finished deliveries of the span due again. Returns how many. Index: webhook_deliveries_log. */
async function requeue(tx: Tx, webhookId: number, { since, until, types, only_failed }: ReplayInput, now: Date): Promise<number> {
  const ofTypes = types === undefined ? empty : sql`and d.type = any(${types}::text[])`;
  const rows = await tx.query(sql`
    update webhook_deliveries d set status = 'pending', attempts = 0, next_attempt_at = ${now}
    where d.webhook_id = ${webhookId} and d.created_at >= ${since} and d.created_at < ${until} and d.type <> 'webhook.test'
      and ${only_failed ? sql`d.status = 'failed'` : sql`d.status <> 'pending'`} ${ofTypes} returning 1`);
  return rows.length;
}

/** Queues deliveries for events that were never published to the webhook. Returns how many. */
async function queueMissed(tx: Tx, webhookId: number, past: Past, pastMessages: PastMessages, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    with published as materialized (
      select event_id from webhook_deliveries
      where webhook_id = ${webhookId} and created_at >= ${past.since} and created_at < ${past.until} and event_id is not null
    ), messages as materialized (${pastMessages(past, 'published')})
    insert into webhook_deliveries (webhook_id, type, event_id, data, reply_body, created_at, next_attempt_at)
    select w.id, m.type, m.event_id, m.data, case when w.include_body then m.reply_body end, m.at, ${now}
    from messages m join webhooks w on w.id = ${webhookId} and ${mayReceive}
    order by m.event_id returning 1`);
  return rows.length;
}

/** Returns the types to replay: those that the webhook subscribes to, limited to `types` if given. */
function wantedTypes(webhook: Pick<Webhook, 'types'>, types: readonly string[] | undefined): string[] {
  const subscribed = webhook.types.length > 0 ? webhook.types : WEBHOOK_TYPES.filter((type) => !HIGH_VOLUME_TYPES.includes(type));
  return subscribed.filter((type) => types === undefined || types.includes(type));
}
