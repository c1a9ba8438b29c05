import { audit, type Caller, getUser, getWorkspace, isSystemEmailSetUp } from '../access/index.ts';
import type { App } from '../app.ts';
import { conflict } from '../core/errors.ts';
import { isKnownZone } from '../core/zone.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { newestReplyId } from '../replies/index.ts';
import { minuteOf, nextTime, timeOf } from './next-time.ts';

/** The time at which a user gets the summary of a workspace. */
export interface SummaryTime {
  /** `HH:MM`; null for never. */
  at: string | null;
  /** IANA name. If unset or null: the one set before, else the workspace's, else UTC. */
  timezone?: string | null | undefined;
}

/** The setting as shown by the API. All fields but `user_id` are null for a user who gets no summary. */
export interface DailySummary {
  user_id: number;
  at: string | null;
  timezone: string | null;
  next_at: string | null;
}

interface Row {
  at_minute: number;
  timezone: string;
  next_at: string;
  claimed_at: Date | null;
}

/**
 * Reads the setting of a member of the caller's workspace. Throws `not_found`. Index:
 * scheduled_emails_workspace_id_user_id_kind_campaign_id_key.
 */
export async function getDailySummary(db: Queryable, caller: Caller, userId: number): Promise<DailySummary> {
  await getUser(db, caller, userId);
  const row = await read(db, caller, userId);
  if (row === undefined) return { user_id: userId, at: null, timezone: null, next_at: null };
  return { user_id: userId, at: timeOf(row.at_minute), timezone: row.timezone, next_at: row.next_at };
}

async function read(db: Queryable, { workspaceId }: Caller, userId: number): Promise<Row | undefined> {
  const [row] = await db.query<Row>(sql`
    select at_minute, timezone, ${timestamp('next_at')} as next_at, claimed_at from scheduled_emails
    where workspace_id = ${workspaceId} and user_id = ${userId} and kind = 'daily_summary'`);
  return row;
}

/**
 * Sets the time at which a member of the caller's workspace gets the summary of the workspace, or switches it off. Replies that arrived
 * before are in no summary. Throws `not_found`, and `conflict` if the installation can't send email.
 */
export async function setDailySummary(app: App, caller: Caller, userId: number, { at, timezone }: SummaryTime): Promise<DailySummary> {
  await app.db.tx(async (tx) => {
    await getUser(tx, caller, userId);
    if (at !== null) requireSystemEmail(app);
    const before = await read(tx, caller, userId);
    const zone = timezone ?? before?.timezone ?? (await zoneOfWorkspace(tx, caller));
    const previous = before === undefined ? null : `${timeOf(before.at_minute)} ${before.timezone}`;
    const now = app.clock.now();
    if (at === null) await remove(tx, caller, userId);
    else await store(tx, caller, userId, { minute: minuteOf(at), zone, next: nextTime(now, minuteOf(at), zone, before?.claimed_at) });
    const set = at === null ? null : `${at} ${zone}`;
    if (set === previous) return;
    const changes = { daily_summary: [previous, set] };
    await audit(tx, caller, now, { action: 'user.set_daily_summary', resourceType: 'user', resourceId: userId, changes });
  });
  return getDailySummary(app.db, caller, userId);
}

/** Throws `conflict` if the installation can't send email. */
export function requireSystemEmail({ config }: App): void {
  if (!isSystemEmailSetUp(config))
    throw conflict('this installation sends no email of its own; set system_smtp_url and system_from, and restart it');
}

/** Returns the workspace's time zone, or UTC if it has none. */
export async function zoneOfWorkspace(tx: Tx, caller: Caller): Promise<string> {
  const { timezone } = await getWorkspace(tx, caller);
  return timezone !== null && isKnownZone(timezone) ? timezone : 'UTC';
}

async function remove(tx: Tx, { workspaceId }: Caller, userId: number): Promise<void> {
  await tx.query(sql`delete from scheduled_emails where workspace_id = ${workspaceId} and user_id = ${userId} and kind = 'daily_summary'`);
}

async function store(
  tx: Tx,
  { workspaceId }: Caller,
  userId: number,
  { minute, zone, next }: { minute: number; zone: string; next: Date },
): Promise<void> {
  await tx.query(sql`
    insert into scheduled_emails (workspace_id, user_id, kind, at_minute, timezone, next_at, after_reply_id)
    values (${workspaceId}, ${userId}, 'daily_summary', ${minute}, ${zone}, ${next}, ${await newestReplyId(tx)})
    on conflict (workspace_id, user_id, kind, campaign_id) do update
      set at_minute = excluded.at_minute, timezone = excluded.timezone, next_at = excluded.next_at, tries = 0`);
}
