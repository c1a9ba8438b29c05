import { audit, type Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { notFound } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import { type Claimed, findTarget } from './claim.ts';
import { attempt } from './deliver.ts';
import { type DeliveryRow, getDelivery } from './deliveries.ts';
import { createPoster } from './post.ts';
import { requireWebhook } from './read-webhook.ts';
import { isDelivered } from './record-attempts.ts';
import { TEST_TYPE } from './types.ts';

/**
 * Sends a test message immediately, in one attempt, to an enabled or disabled webhook, and returns the delivery. It does
 * not count towards the webhook's failures. Throws `not_found`.
 */
export async function testWebhook(app: App, caller: Caller, id: number): Promise<DeliveryRow> {
  await requireWebhook(app.db, caller, id);
  const target = await findTarget(app, id, { evenIfOff: true });
  if (target === undefined) throw notFound('webhook');
  const now = app.clock.now();
  const message = await app.db.tx(async (tx) => {
    const [row] = await tx.query<Claimed>(sql`
      insert into webhook_deliveries (webhook_id, type, data, status, attempts, last_attempt_at, error, created_at)
      values (${id}, ${TEST_TYPE}, ${JSON.stringify({ webhook: { id } })}::json, 'failed', 1, ${now}, 'under way', ${now})
      returning id, message_id, type, attempts, data, reply_body, ${caller.workspaceId}::int as workspace_id,
        to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as timestamp`);
    if (row === undefined) throw new Error('a delivery was not stored');
    await audit(tx, caller, now, { action: 'webhook.test', resourceType: 'webhook', resourceId: id });
    return row;
  });
  const result = await attempt(app, createPoster({ allowPrivate: app.config.webhooksAllowPrivate, network: app.network }), target, message);
  await app.db.query(sql`
    update webhook_deliveries set status = ${isDelivered(result) ? 'delivered' : 'failed'}, response_status = ${result.status},
      response = ${result.response}, error = ${isDelivered(result) ? null : (result.error ?? `answered ${result.status}`)},
      duration_ms = ${result.milliseconds}
    where id = ${message.id}`);
  return getDelivery(app.db, caller, message.id);
}
