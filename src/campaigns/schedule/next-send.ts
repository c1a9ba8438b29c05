import { isKnownZone } from '../../core/zone.ts';
import { raw, type Sql } from '../../db/statement.ts';
import { zoneOfContact } from './contact-zone.ts';
import { hoursOf } from './hours.ts';
import { nextOpening, type SendingWindow } from './window.ts';

/** Columns of enrolment, campaign and account from which the next send is computed. */
export interface NextSendInput {
  status: string;
  due_at: Date | null;
  held_until: Date | null;
  variant: string | null;
  /** Kind of the next step; null if there is none. */
  step_kind: string | null;
  campaign_status: string;
  starts_at: Date | null;
  timezone: string;
  /** The contact's own time zone; null if the campaign's applies. */
  contact_timezone: string | null;
  sending_days: readonly number[];
  sending_hour_start: number;
  sending_hour_end: number;
  more_hours: readonly string[];
  holidays: string | null;
  ab_test_enabled: boolean;
  sending_hour_start_b: number | null;
  sending_hour_end_b: number | null;
  account_timezone: string;
  send_window_start_hour: number;
  send_window_end_hour: number;
}

/**
 * Computes the earliest instant at which an enrolment's next email may leave: its wait and any hold are over, the campaign has started, and
 * the windows of campaign and account are both open. Batches and limits may make it later, never earlier. Null unless enrolment and
 * campaign are active and the next step is an email. Also null for an unknown time zone, and while the enrolment waits for anything but a
 * time.
 */
export function nextSendAt(row: NextSendInput, now: Date): Date | null {
  if (row.status !== 'active' || row.campaign_status !== 'active' || row.due_at === null || row.step_kind !== 'email') return null;
  const bounds = [now, row.due_at, row.held_until, row.starts_at].filter((bound) => bound !== null);
  const from = new Date(Math.max(...bounds.map((bound) => bound.getTime())));
  const windows = [campaignWindow(row), accountWindow(row)];
  return windows.every(({ timezone }) => isKnownZone(timezone)) ? nextOpening(windows, from) : null;
}

/** The fields of a campaign and an enrolment that make up their window. */
export type CampaignSchedule = Pick<
  NextSendInput,
  | 'timezone'
  | 'contact_timezone'
  | 'sending_days'
  | 'sending_hour_start'
  | 'sending_hour_end'
  | 'more_hours'
  | 'holidays'
  | 'ab_test_enabled'
  | 'sending_hour_start_b'
  | 'sending_hour_end_b'
  | 'variant'
>;

/** The columns of a campaign's row that make up its window. */
const WINDOW_COLUMNS = [
  ...['timezone', 'sending_days', 'sending_hour_start', 'sending_hour_end', 'more_hours', 'holidays'],
  ...['ab_test_enabled', 'sending_hour_start_b', 'sending_hour_end_b'],
] as const;

/** Selects the columns of the campaign's window; `campaign` is its alias. */
export const windowColumns = (campaign: string): Sql => raw(WINDOW_COLUMNS.map((column) => `${campaign}.${column}`).join(', '));

/**
 * Returns the campaign's window for one enrolment, in the contact's own time zone or the campaign's. Group B has its own hours, and no
 * others, if they are set and the test is on.
 */
export function campaignWindow(row: CampaignSchedule): SendingWindow {
  const isB = row.ab_test_enabled && row.variant === 'B' && row.sending_hour_start_b !== null && row.sending_hour_end_b !== null;
  return {
    timezone: row.contact_timezone === null ? row.timezone : zoneOfContact(row.contact_timezone, row.timezone),
    days: row.sending_days,
    startHour: isB ? (row.sending_hour_start_b as number) : row.sending_hour_start,
    endHour: isB ? (row.sending_hour_end_b as number) : row.sending_hour_end,
    ...(isB || row.more_hours.length === 0 ? {} : { more: row.more_hours.map(hoursOf) }),
    ...(row.holidays === null ? {} : { holidays: row.holidays }),
  };
}

/** Returns the account's window: every day, in the account's time zone. */
export function accountWindow(
  row: Pick<NextSendInput, 'account_timezone' | 'send_window_start_hour' | 'send_window_end_hour'>,
): SendingWindow {
  return { timezone: row.account_timezone, startHour: row.send_window_start_hour, endHour: row.send_window_end_hour, days: null };
}
