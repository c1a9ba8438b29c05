import type { App } from '../app.ts';
import type { SendingWindow } from '../campaigns/index.ts';
import { type Queryable, sql } from '../db.ts';
import { localDay } from '../zone.ts';
import { inGroups, isDue, writesFrom } from './claim.ts';
import type { AccountState, CampaignState } from './plan.ts';

/** A sending account as the sender needs it. */
export interface SendingAccount extends AccountState {
  id: number;
  workspaceId: number;
  email: string;
  fromName: string;
  timezone: string;
  gapMinSeconds: number;
  gapMaxSeconds: number;
  signatureHtml: string | null;
  connectionFailures: number;
  wakes: number;
}

/** Mails per local day after ramp-up: `start` on the first day, `increment` more each day, up to the ceiling or the daily limit. */
export function rampedLimit(
  daily: number,
  ramp: { start: number | null; increment: number | null; ceiling: number | null; startedOn: string | null },
  today: string,
): number {
  if (ramp.start === null || ramp.startedOn === null) return daily;
  const days = Math.max(0, Math.round((Date.parse(today) - Date.parse(ramp.startedOn)) / 86_400_000));
  return Math.min(daily, ramp.ceiling ?? daily, ramp.start + days * (ramp.increment ?? 0));
}

interface AccountRow {
  id: number;
  workspace_id: number;
  email: string;
  from_name: string;
  timezone: string;
  daily_send_limit: number;
  send_window_start_hour: number;
  send_window_end_hour: number;
  send_batch_min: number;
  send_batch_max: number;
  send_batch_interval_minutes: number;
  gap_min_seconds: number;
  gap_max_seconds: number;
  ramp_start: number | null;
  ramp_increment: number | null;
  ramp_ceiling: number | null;
  ramp_started_on: string | null;
  last_batch_at: string | Date | null;
  last_campaign_id: number | null;
  connection_failures: number;
  wakes: number;
  signature_html: string | null;
}

/** Reads an account that may send now, or null. */
export async function loadSendingAccount(app: App, id: number): Promise<SendingAccount | null> {
  const [row] = await app.db.query<AccountRow>(sql`
    select a.*, a.ramp_started_on::text as ramp_started_on,
      (select s.body_html from templates s where s.id = a.signature_template_id and s.deleted_at is null) as signature_html
    from accounts a
    where a.id = ${id} and a.status = 'active' and a.deleted_at is null and not a.is_archived`);
  if (row === undefined) return null;
  const today = localDay(app.clock.now(), row.timezone);
  const [day] = await app.db.query<{ accepted: number }>(
    sql`select accepted from account_days where account_id = ${id} and day = ${today}`,
  );
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    email: row.email,
    fromName: row.from_name,
    timezone: row.timezone,
    window: { timezone: row.timezone, startHour: row.send_window_start_hour, endHour: row.send_window_end_hour, days: null },
    batchMin: row.send_batch_min,
    batchMax: row.send_batch_max,
    intervalMinutes: row.send_batch_interval_minutes,
    dailyLimit: rampedLimit(
      row.daily_send_limit,
      { start: row.ramp_start, increment: row.ramp_increment, ceiling: row.ramp_ceiling, startedOn: row.ramp_started_on },
      today,
    ),
    sentToday: day?.accepted ?? 0,
    lastBatchAt: row.last_batch_at === null ? null : new Date(row.last_batch_at),
    lastCampaignId: row.last_campaign_id,
    gapMinSeconds: row.gap_min_seconds,
    gapMaxSeconds: row.gap_max_seconds,
    signatureHtml: row.signature_html,
    connectionFailures: row.connection_failures,
    wakes: row.wakes,
  };
}

interface CampaignRow {
  id: number;
  timezone: string;
  sending_days: number[];
  sending_hour_start: number;
  sending_hour_end: number;
  ab_test_enabled: boolean;
  sending_hour_start_b: number | null;
  sending_hour_end_b: number | null;
  starts_at: string | Date | null;
  due_a: number;
  due_b: number;
  next_a: string | Date | null;
  next_b: string | Date | null;
}

/**
 * The active campaigns that write from this account and what of them is due, counted up to `atMost` per group: no more
 * than that can be in one batch. Indexes: campaigns_account, enrolments_account, enrolments_due.
 */
export async function loadCampaignStates(db: Queryable, accountId: number, now: Date, atMost: number): Promise<CampaignState[]> {
  const due = (groups: { a: boolean; b: boolean }) => sql`(
    select count(*)::int from (
      select 1 from enrolments e where e.campaign_id = c.id and ${isDue('e', now)}${inGroups('e', groups)}
        and ${writesFrom('e', 'c')} = ${accountId} limit ${atMost}) due)`;
  const next = (groups: { a: boolean; b: boolean }) => sql`(
    select min(greatest(e.due_at, e.held_until)) from enrolments e
    where e.campaign_id = c.id and e.status = 'active' and e.due_at is not null and greatest(e.due_at, e.held_until) > ${now}${inGroups('e', groups)}
      and ${writesFrom('e', 'c')} = ${accountId})`;
  const rows = await db.query<CampaignRow>(sql`
    select c.id, c.timezone, c.sending_days, c.sending_hour_start, c.sending_hour_end, c.ab_test_enabled,
      c.sending_hour_start_b, c.sending_hour_end_b, c.starts_at,
      ${due({ a: true, b: false })} as due_a, ${due({ a: false, b: true })} as due_b,
      ${next({ a: true, b: false })} as next_a, ${next({ a: false, b: true })} as next_b
    from campaigns c
    where c.status = 'active' and c.deleted_at is null and not c.is_archived
      and (c.account_id = ${accountId} or c.id in (
        select e.campaign_id from enrolments e
        where e.account_id = ${accountId} and e.status = 'active' and e.due_at is not null group by e.campaign_id))
    order by c.id`);
  return rows.map(toCampaignState);
}

const asDate = (value: string | Date | null) => (value === null ? null : new Date(value));

function toCampaignState(row: CampaignRow): CampaignState {
  const window: SendingWindow = {
    timezone: row.timezone,
    startHour: row.sending_hour_start,
    endHour: row.sending_hour_end,
    days: row.sending_days,
  };
  const hasOwnHours = row.ab_test_enabled && row.sending_hour_start_b !== null && row.sending_hour_end_b !== null;
  return {
    id: row.id,
    window,
    windowB: hasOwnHours ? { ...window, startHour: row.sending_hour_start_b ?? 0, endHour: row.sending_hour_end_b ?? 24 } : null,
    startsAt: asDate(row.starts_at),
    due: { a: row.due_a, b: row.due_b },
    nextDue: { a: asDate(row.next_a), b: asDate(row.next_b) },
  };
}
