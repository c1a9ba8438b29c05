import { type Caller, visible } from '../access/index.ts';
import type { AccountStatus, PauseReason } from '../accounts/index.ts';
import {
  accountWindow,
  type CallRow,
  type CampaignStatus,
  isOpen,
  listCalls,
  type NextSendInput,
  nextOpening,
  nextSendAt,
} from '../campaigns/index.ts';
import { type Queryable, sql } from '../db.ts';
import { rampedLimit } from '../sending/index.ts';
import { timestamp, wireTime } from '../wire.ts';
import { localDay } from '../zone.ts';
import type { FinishedCounts } from './finished-counts.ts';

/** A campaign as an operator watches it. Times are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface CampaignLine {
  id: number;
  name: string;
  status: CampaignStatus;
  account_email: string;
  contacts: number;
  /** Contacts whose sequence is over, in whatever way. */
  finished: number;
  sent: number;
  opened: number;
  clicked: number;
  replied: number;
  bounced: number;
  failed: number;
  /** The earliest moment of its next mail; batches and limits may make it later. Null while nothing can be sent. */
  next_send_at: string | null;
}

/** A sending account as an operator watches it. */
export interface AccountLine {
  id: number;
  email: string;
  status: AccountStatus;
  pause_reason: PauseReason | null;
  pause_message: string | null;
  /** Mails accepted on the account's own day, and how many it may send on it. */
  sent_today: number;
  daily_limit: number;
  /** `08–18 Europe/Berlin`. */
  window: string;
  is_open: boolean;
  opens_at: string | null;
  next_batch_at: string | null;
  /** Null for an account whose mailbox is not read. */
  last_polled_at: string | null;
  poll_error: string | null;
}

/** What the daemons have before them. */
export interface QueueState {
  /** Mails claimed or on the wire now. */
  in_flight: number;
  /** Mails whose delivery a person has to decide. */
  unknown: number;
  /** Accounts whose batch should have begun, and for how many seconds the longest has waited. */
  batches_due: number;
  batch_lag_seconds: number;
  /** Mailboxes that should have been read, and for how many seconds the longest has waited. */
  polls_due: number;
  poll_lag_seconds: number;
}

export interface Overview {
  campaigns: CampaignLine[];
  accounts: AccountLine[];
  calls: CallRow[];
  queue: QueueState;
}

/** More than an operator can watch: what sends or needs a person comes first, the rest is left out. */
export const MOST_LINES = 500;

/** Everything that the caller may see of a running installation, read afresh. */
export async function readOverview(db: Queryable, caller: Caller, now: Date, counts: FinishedCounts): Promise<Overview> {
  const [campaigns, accounts, calls, queue] = await Promise.all([
    readCampaigns(db, caller, now).then((lines) => counts.fill(db, lines)),
    readAccounts(db, caller, now),
    listCalls(db, caller, { all: false }),
    readQueue(db, caller, now),
  ]);
  return { campaigns, accounts, calls: calls.slice(0, MOST_LINES), queue };
}

type CampaignFacts = Omit<CampaignLine, 'next_send_at' | 'finished'> &
  Omit<NextSendInput, 'status' | 'campaign_status'> & { account_status: AccountStatus; next_batch_at: string | null };

/** Indexes: campaigns_page; enrolments_due for the first contact that waits. */
async function readCampaigns(db: Queryable, caller: Caller, now: Date): Promise<CampaignLine[]> {
  const rows = await db.query<CampaignFacts>(sql`
    select c.id, c.name, c.status, a.email as account_email, coalesce(s.contacts, 0) as contacts, coalesce(s.sent, 0) as sent,
      coalesce(s.opened, 0) as opened, coalesce(s.clicked, 0) as clicked, coalesce(s.replied, 0) as replied,
      coalesce(s.bounced, 0) as bounced, coalesce(s.failed, 0) as failed,
      a.status as account_status, a.next_batch_at, c.starts_at, c.timezone, c.sending_days, c.sending_hour_start, c.sending_hour_end,
      c.ab_test_enabled, c.sending_hour_start_b, c.sending_hour_end_b, a.timezone as account_timezone,
      a.send_window_start_hour, a.send_window_end_hour, w.due_at, w.held_until, w.variant, w.step_kind
    from campaigns c join accounts a on a.id = c.account_id left join campaign_stats s on s.campaign_id = c.id
    left join lateral (
      (${firstWaiting(true)}) union all (${firstWaiting(false)}) order by due_at limit 1
    ) w on c.status = 'active'
    where ${visible(caller, 'campaigns', 'c')} and not c.is_archived
    order by c.status = 'active' desc, c.id desc limit ${MOST_LINES}`);
  return rows.map((row) => toCampaignLine(row, now));
}

const firstWaiting = (isFollowUp: boolean) => sql`
  select e.due_at, e.held_until, e.variant,
    (select t.kind from steps t where t.campaign_id = e.campaign_id and t.step_order = e.current_step and t.deleted_at is null) as step_kind
  from enrolments e where e.campaign_id = c.id and e.status = 'active' and e.due_at is not null
    and (e.last_sent_step > 0) = ${isFollowUp} order by e.due_at limit 1`;

function toCampaignLine(row: CampaignFacts, now: Date): CampaignLine {
  const { id, name, status, account_email, contacts, sent, opened, clicked, replied, bounced, failed } = row;
  const counts = { contacts, sent, opened, clicked, replied, bounced, failed };
  return { id, name, status, account_email, ...counts, finished: 0, next_send_at: nextSendOf(row, now) };
}

function nextSendOf(row: CampaignFacts, now: Date): string | null {
  if (row.account_status !== 'active' || row.due_at === null) return null;
  const next = nextSendAt({ ...row, status: 'active', campaign_status: row.status }, now);
  if (next === null) return null;
  const batch = row.next_batch_at === null ? next : new Date(row.next_batch_at);
  return wireTime(batch > next ? batch : next);
}

interface AccountFacts extends Omit<AccountLine, 'sent_today' | 'daily_limit' | 'window' | 'is_open' | 'opens_at'> {
  timezone: string;
  send_window_start_hour: number;
  send_window_end_hour: number;
  daily_send_limit: number;
  ramp_start: number | null;
  ramp_increment: number | null;
  ramp_ceiling: number | null;
  ramp_started_on: string | null;
  days: Record<string, number> | null;
}

/** Those that stand still come first. Indexes: accounts_live_email, a workspace has few; account_days_pkey. */
async function readAccounts(db: Queryable, caller: Caller, now: Date): Promise<AccountLine[]> {
  // The account's own day is yesterday's to tomorrow's by UTC; which one, its zone says.
  const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const rows = await db.query<AccountFacts>(sql`
    select a.id, a.email, a.status, a.pause_reason, a.pause_message, a.timezone, a.send_window_start_hour, a.send_window_end_hour,
      a.daily_send_limit, a.ramp_start, a.ramp_increment, a.ramp_ceiling, a.ramp_started_on::text as ramp_started_on,
      ${timestamp('a.next_batch_at')} as next_batch_at, ${timestamp('a.last_polled_at')} as last_polled_at, a.poll_error,
      (select jsonb_object_agg(d.day, d.accepted) from account_days d
        where d.account_id = a.id and d.day between ${day(-1)} and ${day(1)}) as days
    from accounts a where ${visible(caller, 'accounts', 'a')} and not a.is_archived
    order by a.status = 'active', a.id limit ${MOST_LINES}`);
  return rows.map((row) => toAccountLine(row, now));
}

function toAccountLine(row: AccountFacts, now: Date): AccountLine {
  const window = accountWindow({ ...row, account_timezone: row.timezone });
  const today = localDay(now, row.timezone);
  const opening = isOpen(window, now) ? null : nextOpening([window], now);
  const ramp = { start: row.ramp_start, increment: row.ramp_increment, ceiling: row.ramp_ceiling, startedOn: row.ramp_started_on };
  return {
    id: row.id,
    email: row.email,
    status: row.status,
    pause_reason: row.pause_reason,
    pause_message: row.pause_message,
    sent_today: row.days?.[today] ?? 0,
    daily_limit: rampedLimit(row.daily_send_limit, ramp, today),
    window: `${row.send_window_start_hour}–${row.send_window_end_hour} ${row.timezone}`,
    is_open: opening === null,
    opens_at: opening === null ? null : wireTime(opening),
    next_batch_at: row.next_batch_at,
    last_polled_at: row.last_polled_at,
    poll_error: row.poll_error,
  };
}

/** Indexes: outbox_open, accounts_batch, accounts_poll. */
async function readQueue(db: Queryable, caller: Caller, now: Date): Promise<QueueState> {
  const seconds = (column: 'next_batch_at' | 'next_poll_at') =>
    sql`coalesce(extract(epoch from ${now}::timestamptz - min(a.${column === 'next_batch_at' ? sql`next_batch_at` : sql`next_poll_at`})), 0)::int`;
  const [row] = await db.query<QueueState>(sql`
    select
      (select count(*)::int from outbox o join accounts a on a.id = o.account_id
        where o.state in ('claimed', 'transmitting') and ${visible(caller, 'accounts', 'a')}) as in_flight,
      (select count(*)::int from outbox o join campaigns c on c.id = o.campaign_id
        where o.state in ('uncertain', 'unknown') and ${visible(caller, 'campaigns', 'c')}) as unknown,
      b.batches_due, b.batch_lag_seconds, p.polls_due, p.poll_lag_seconds
    from (select count(*)::int as batches_due, ${seconds('next_batch_at')} as batch_lag_seconds from accounts a
        where a.next_batch_at <= ${now} and a.status = 'active' and not a.is_archived and ${visible(caller, 'accounts', 'a')}) b,
      (select count(*)::int as polls_due, ${seconds('next_poll_at')} as poll_lag_seconds from accounts a
        where a.next_poll_at <= ${now} and a.imap is not null and not a.is_archived and ${visible(caller, 'accounts', 'a')}) p`);
  return row ?? { in_flight: 0, unknown: 0, batches_due: 0, batch_lag_seconds: 0, polls_due: 0, poll_lag_seconds: 0 };
}
