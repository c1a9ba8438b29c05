import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import type { Placed, Room } from '../core/room.ts';
import { inZone, zoneOrUtc } from '../core/zone.ts';
import { type Backlog, lagSeconds } from '../db/backlog.ts';
import { readPlaced } from '../db/in-turns.ts';
import { prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import type { StoredMessage } from './envelope.ts';
import type { Format } from './notice.ts';

/** Messages of one webhook that are posted concurrently. */
const CONCURRENCY = 10;
/** Longer than an attempt can take. After this time, the claims of a dead process are due again. */
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

/** True if `now` is within the `quiet_hours`, in the zone of the workspace. They may end on the next day. */
function isQuiet(hours: string, timezone: string | null, now: Date): boolean {
  const [first = 0, last = 0] = hours.split('-').map(Number);
  const { hour } = inZone(now, zoneOrUtc(timezone ?? 'UTC'));
  return first < last ? hour >= first && hour < last : hour >= first || hour < last;
}

/**
 * Returns the ids of the webhooks that have quiet hours now. Computed here and not in SQL: if PostgreSQL did not know a zone that Node
 * knows, the statement would fail and stop everybody's deliveries. Index: webhooks_pkey.
 */
async function quietWebhooks(db: Queryable, now: Date): Promise<number[]> {
  const rows = await db.query<{ id: number; quiet_hours: string; timezone: string | null }>(
    prepared(
      'quiet webhooks',
      sql`select w.id, w.quiet_hours, k.timezone from webhooks w join workspaces k on k.id = w.workspace_id
        where w.quiet_hours is not null and w.is_enabled and w.deleted_at is null`,
    ),
  );
  return rows.filter(({ quiet_hours: hours, timezone }) => isQuiet(hours, timezone, now)).map(({ id }) => id);
}

/** Condition: webhook `w` is enabled and not paused after failures. */
const mayDeliver = (now: Date): Sql => sql`w.deleted_at is null and w.is_enabled and (w.rests_until is null or w.rests_until <= ${now})`;

/** Condition: delivery `d` has an attempt due. */
const isDeliveryDue = (now: Date): Sql => sql`d.status = 'pending' and d.next_attempt_at <= ${now}`;

/**
 * Lists webhooks with due deliveries for which there is room, except those that may not deliver now. Indexes: webhooks_pkey,
 * webhook_deliveries_due.
 */
export async function dueWebhooks(app: App, room: Room): Promise<Placed[]> {
  const now = app.clock.now();
  const quiet = await quietWebhooks(app.db, now);
  return readPlaced(
    app.db,
    room,
    sql`select w.id, w.workspace_id, w.rests_until as due_at from webhooks w
      where ${mayDeliver(now)} and w.id <> all(${quiet}::int[]) and exists (select from webhook_deliveries d where d.webhook_id = w.id and ${isDeliveryDue(now)})`,
  );
}

/** Counts the deliveries that are due, up to `atMost` of each webhook. Indexes: webhooks_pkey, webhook_deliveries_due. */
export async function readDeliveryBacklog(db: Queryable, now: Date, atMost: number): Promise<Backlog> {
  const quiet = await quietWebhooks(db, now);
  const [row] = await db.query<Backlog>(sql`
    select coalesce(sum(q.due), 0)::int as due, ${lagSeconds(sql`min(q.first)`, now)} as lag_seconds
    from webhooks w cross join lateral (
      select count(*) as due, min(p.next_attempt_at) as first from (
        select d.next_attempt_at from webhook_deliveries d
        where d.webhook_id = w.id and ${isDeliveryDue(now)} order by d.next_attempt_at limit ${atMost}) p) q
    where ${mayDeliver(now)} and w.id <> all(${quiet}::int[])`);
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
  const [row] = await app.db.query<Target & { quiet_hours: string | null; timezone: string | null }>(sql`
    select w.id, w.workspace_id, w.url, w.format, w.secret, w.quiet_hours, k.timezone,
      case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret
    from webhooks w join workspaces k on k.id = w.workspace_id
    where w.id = ${id} and w.deleted_at is null and (${evenIfOff} or ${mayDeliver(now)})`);
  if (row === undefined) return undefined;
  const { quiet_hours: hours, timezone, ...target } = row;
  return evenIfOff || hours === null || !isQuiet(hours, timezone, now) ? target : undefined;
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
