import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { type Backlog, lagSeconds } from '../db/backlog.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import type { StoredMessage } from './envelope.ts';

/** How many messages of one webhook are under way at the same time. */
const AT_ONCE = 10;
/** Longer than an attempt can take: then what a dead process had in hand is due again. */
const LEASE = 30 * SECOND;

/** A message that this process is about to deliver. */
export interface Claimed extends StoredMessage {
  id: number;
  /** This attempt included. */
  attempts: number;
}

/** A webhook as far as delivering needs it. */
export interface Target {
  id: number;
  workspace_id: number;
  url: string;
  secret: string;
  previous_secret: string | null;
}

/** Webhook `w` is on and does not rest. */
const mayDeliver = (now: Date): Sql => sql`w.deleted_at is null and w.is_enabled and (w.rests_until is null or w.rests_until <= ${now})`;

/** Delivery `d` waits for an attempt whose time has come. */
const isDeliveryDue = (now: Date): Sql => sql`d.status = 'pending' and d.next_attempt_at <= ${now}`;

/** Webhooks that have something to deliver and neither are off nor rest. Indexes: webhooks_pkey, webhook_deliveries_due. */
export async function dueWebhooks(app: App, limit: number): Promise<number[]> {
  const now = app.clock.now();
  const rows = await app.db.query<{ id: number }>(sql`
    select w.id from webhooks w
    where ${mayDeliver(now)} and exists (select from webhook_deliveries d where d.webhook_id = w.id and ${isDeliveryDue(now)})
    order by w.rests_until nulls first, w.id limit ${limit}`);
  return rows.map((row) => row.id);
}

/** Counts the deliveries that are due, up to `atMost` of each webhook. Indexes: webhooks_pkey, webhook_deliveries_due. */
export async function readDeliveryBacklog(db: Queryable, now: Date, atMost: number): Promise<Backlog> {
  const [row] = await db.query<Backlog>(sql`
    select coalesce(sum(q.due), 0)::int as due, ${lagSeconds(sql`min(q.first)`, now)} as lag_seconds
    from webhooks w cross join lateral (
      select count(*) as due, min(p.next_attempt_at) as first from (
        select d.next_attempt_at from webhook_deliveries d
        where d.webhook_id = w.id and ${isDeliveryDue(now)} order by d.next_attempt_at limit ${atMost}) p) q
    where ${mayDeliver(now)}`);
  return row ?? { due: 0, lag_seconds: 0 };
}

/** The webhook while it is on and need not rest. */
export async function findTarget(app: App, id: number, { evenIfOff = false } = {}): Promise<Target | undefined> {
  const now = app.clock.now();
  const [target] = await app.db.query<Target>(sql`
    select id, workspace_id, url, secret, case when previous_secret_until > ${now} then previous_secret end as previous_secret
    from webhooks where id = ${id} and deleted_at is null
      and (${evenIfOff} or is_enabled and (rests_until is null or rests_until <= ${now}))`);
  return target;
}

/** Takes messages that are due and moves them on by the lease, so that no other daemon takes them. Index: webhook_deliveries_due. */
export async function claim(app: App, webhookId: number): Promise<Claimed[]> {
  const now = app.clock.now();
  return app.db.query<Claimed>(sql`
    with due as (
      select id from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${AT_ONCE} for update skip locked
    )
    update webhook_deliveries d
    set attempts = d.attempts + 1, last_attempt_at = ${now}, next_attempt_at = ${new Date(now.getTime() + LEASE)}
    from due, webhooks w where d.id = due.id and w.id = d.webhook_id
    returning d.id, d.message_id, d.type, w.workspace_id, d.data, d.reply_body, d.attempts,
      to_char(d.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as timestamp`);
}
