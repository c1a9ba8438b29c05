import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import type { Placed, Room } from '../core/room.ts';
import { type Backlog, lagSeconds } from '../db/backlog.ts';
import { readPlaced } from '../db/in-turns.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import type { StoredMessage } from './envelope.ts';
import type { Format } from './notice.ts';

/** Messages of one webhook that are posted concurrently. */
const CONCURRENCY = 10;
/** Longer than an attempt can take; after it the claims of a dead process are due again. */
const LEASE = 30 * SECOND;

/** A message claimed by this process for delivery. */
export interface Claimed extends StoredMessage {
  id: number;
  /** Attempts, including this one. */
  attempts: number;
}

/** The columns of a webhook that delivery needs; `previous_secret` only during the overlap after a rotation. */
export interface Target {
  id: number;
  workspace_id: number;
  url: string;
  format: Format;
  secret: string;
  previous_secret: string | null;
}

/** The hour in the zone of the workspace of webhook `w`. */
const localHour = (now: Date): Sql =>
  sql`extract(hour from ${now}::timestamptz at time zone coalesce((select timezone from workspaces where id = w.workspace_id), 'UTC'))`;

/** Condition: webhook `w` has its quiet hours, which may end on the next day. */
const isQuiet = (now: Date): Sql => sql`(select case when q.first < q.last then l.hour >= q.first and l.hour < q.last
    else l.hour >= q.first or l.hour < q.last end
  from (select split_part(w.quiet_hours, '-', 1)::int as first, split_part(w.quiet_hours, '-', 2)::int as last) q,
    (select ${localHour(now)} as hour) l)`;

/** Condition: webhook `w` is enabled, not paused after failures, and has no quiet hours now. */
const mayDeliver = (now: Date): Sql => sql`w.deleted_at is null and w.is_enabled and (w.rests_until is null or w.rests_until <= ${now})
  and (w.quiet_hours is null or not ${isQuiet(now)})`;

/** Condition: delivery `d` has an attempt due. */
const isDeliveryDue = (now: Date): Sql => sql`d.status = 'pending' and d.next_attempt_at <= ${now}`;

/** Webhooks with due deliveries for which there is room, except those that may not deliver now. Indexes: webhooks_pkey, webhook_deliveries_due. */
export async function dueWebhooks(app: App, room: Room): Promise<Placed[]> {
  const now = app.clock.now();
  return readPlaced(
    app.db,
    room,
    sql`select w.id, w.workspace_id, w.rests_until as due_at from webhooks w
      where ${mayDeliver(now)} and exists (select from webhook_deliveries d where d.webhook_id = w.id and ${isDeliveryDue(now)})`,
  );
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

/** Counts the webhooks that are disabled, by a person or after too many failures. */
export async function countDisabledWebhooks(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from webhooks where deleted_at is null and not is_enabled`,
  );
  return row?.count ?? 0;
}

/** Finds a webhook to deliver to; undefined if it is deleted or (unless `evenIfOff`) may not deliver now. */
export async function findTarget(app: App, id: number, { evenIfOff = false } = {}): Promise<Target | undefined> {
  const now = app.clock.now();
  const [target] = await app.db.query<Target>(sql`
    select w.id, w.workspace_id, w.url, w.format, w.secret,
      case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret
    from webhooks w where w.id = ${id} and w.deleted_at is null and (${evenIfOff} or ${mayDeliver(now)})`);
  return target;
}

/** Claims up to 10 due messages for 30 seconds, so that no other daemon takes them. Index: webhook_deliveries_due. */
export async function claim(app: App, webhookId: number): Promise<Claimed[]> {
  const now = app.clock.now();
  return app.db.query<Claimed>(sql`
    with due as (
      select id from webhook_deliveries where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at, id limit ${CONCURRENCY} for update skip locked
    )
    update webhook_deliveries d
    set attempts = d.attempts + 1, last_attempt_at = ${now}, next_attempt_at = ${new Date(now.getTime() + LEASE)}
    from due, webhooks w where d.id = due.id and w.id = d.webhook_id
    returning d.id, d.message_id, d.type, w.workspace_id, d.data, d.reply_body, d.attempts,
      to_char(d.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as timestamp`);
}
