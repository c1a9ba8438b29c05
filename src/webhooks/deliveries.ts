import { audit, type Caller, lockRecord } from '../access/index.ts';
import type { App } from '../app.ts';
import { DAY } from '../core/clock.ts';
import { conflict, notFound } from '../core/errors.ts';
import { BATCH_SIZE, inBatches } from '../db/in-batches.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { empty, type Queryable, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { ownWebhook, requireWebhook, WEBHOOK } from './read-webhook.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One message to one webhook, with the outcome of its last attempt and the time of the next. */
export interface DeliveryRow {
  id: number;
  webhook_id: number;
  /** The `webhook-id` header. */
  message_id: string;
  type: string;
  event_id: number | null;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: string | null;
  last_attempt_at: string | null;
  response_status: number | null;
  /** First 1,000 characters of the receiver's response. */
  response: string | null;
  error: string | null;
  duration_ms: number | null;
  created_at: string;
}

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
  since?: Date | undefined;
}

/** Milliseconds for which deliveries are kept. */
export const keptFor = ({ config }: App): number => config.retentionWebhookDeliveries * DAY;

const columns: Sql = sql`d.id, d.webhook_id, d.message_id, d.type, d.event_id, d.status, d.attempts,
  ${timestamp('d.next_attempt_at')} as next_attempt_at, ${timestamp('d.last_attempt_at')} as last_attempt_at,
  d.response_status, d.response, d.error, d.duration_ms, ${timestamp('d.created_at')} as created_at`;

/** Lists a webhook's deliveries, newest first. Throws `not_found`. Index: webhook_deliveries_log. */
export async function listDeliveries(
  db: Queryable,
  caller: Caller,
  webhookId: number,
  { status, type, since }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  await requireWebhook(db, caller, webhookId);
  const wanted = sql`d.webhook_id = ${webhookId}
    ${status === undefined ? empty : sql`and d.status = ${status}`} ${type === undefined ? empty : sql`and d.type = ${type}`}
    ${since === undefined ? empty : sql`and d.created_at >= ${since}`}`;
  return listPage<DeliveryRow>(
    db,
    sql`select ${columns} from webhook_deliveries d where ${wanted} order by d.id desc`,
    sql`select count(*)::int as total from webhook_deliveries d where ${wanted}`,
    page,
  );
}

/** Reads one delivery of a webhook that the caller may see. Throws `not_found`. */
export async function getDelivery(db: Queryable, caller: Caller, id: number, webhookId?: number): Promise<DeliveryRow> {
  const [row] = await db.query<DeliveryRow>(sql`
    select ${columns} from webhook_deliveries d join webhooks w on w.id = d.webhook_id and ${ownWebhook(caller, 'w')}
    where d.id = ${id} ${webhookId === undefined ? empty : sql`and d.webhook_id = ${webhookId}`}`);
  if (row === undefined) throw notFound('delivery');
  return row;
}

/**
 * Queues a delivery again, whatever its outcome: the same bytes under the same `webhook-id`, with all attempts renewed.
 * Throws `not_found`, and `conflict` if the webhook is disabled.
 */
export async function redeliver(app: App, caller: Caller, id: number, webhookId?: number): Promise<DeliveryRow> {
  const now = app.clock.now();
  const delivery = await getDelivery(app.db, caller, id, webhookId);
  await app.db.tx(async (tx) => {
    const webhook = await lockRecord(tx, caller, WEBHOOK, delivery.webhook_id);
    if (!webhook.is_enabled) throw webhookIsOff();
    await tx.query(sql`update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = ${now} where id = ${id}`);
    webhook.rests_until = null;
    await audit(tx, caller, now, { ...entryOf('redeliver', webhook.id), changes: { delivery_id: id } });
  });
  return getDelivery(app.db, caller, id);
}

/** The `conflict` that refuses deliveries to a disabled webhook. */
export const webhookIsOff = () => conflict('the webhook is disabled; enable it first');

const entryOf = (verb: string, id: number) => ({ action: `webhook.${verb}`, resourceType: 'webhook', resourceId: id });

/** Deletes deliveries older than the setting `retentionWebhookDeliveries` and those of deleted webhooks. Returns how many. Indexes: webhook_deliveries_age, _log. */
export function pruneDeliveries(app: App, signal?: AbortSignal): Promise<number> {
  const limit = new Date(app.clock.now().getTime() - keptFor(app));
  return inBatches(
    app.db,
    sql`
    delete from webhook_deliveries where id in (
      (select id from webhook_deliveries where created_at < ${limit})
      union all
      (select d.id from webhooks w join webhook_deliveries d on d.webhook_id = w.id where w.deleted_at is not null)
      limit ${BATCH_SIZE})
    returning 1`,
    signal,
  );
}
