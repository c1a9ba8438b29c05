import { type Caller, visible } from '../../access/index.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import { isKnownZone } from '../../core/zone.ts';
import { type Queryable, type Sql, sql } from '../../db/statement.ts';
import { campaignIs } from '../states/campaign.ts';
import { isWaiting, sendsFrom } from '../states/enrolment.ts';
import { isLiveStep } from '../states/step.ts';
import { contactZone } from './contact-zone.ts';
import { accountWindow, campaignWindow, windowColumns } from './next-send.ts';
import { horizonOf, isOpen, nextOpening, type SendingWindow } from './window.ts';

/** Instants from `from` up to but excluding `to`, in milliseconds since 1970; null for no bound. */
export interface SendSpan {
  from: number | null;
  to: number | null;
}

/** Enrolments with the same sending windows. */
interface Schedule {
  campaign_id: number;
  account_id: number;
  /** Empty outside an A/B test. */
  variant: string;
  /** The contacts' own time zone; empty if the campaign's applies. */
  zone: string;
  windows: SendingWindow[];
}

type ScheduleRow = Pick<Schedule, 'campaign_id' | 'account_id' | 'variant' | 'zone'> &
  Parameters<typeof campaignWindow>[0] &
  Parameters<typeof accountWindow>[0];

/**
 * Searches contacts by the instant of their next email. No column stores it, because it depends on the windows of campaign and account in
 * their time zones. So the bounds of the span are translated once for each schedule, of which there are few, into bounds on the instant at
 * which an enrolment becomes ready. PostgreSQL can compare those for each enrolment.
 * @returns a function that builds the condition that contact `c` has an enrolment, visible to the caller, whose next email is in the span
 */
export async function nextSendSearch(db: Queryable, caller: Caller, now: Date): Promise<(span: SendSpan) => Sql> {
  const schedules = (await readSchedules(db, caller)).filter(
    ({ windows }) => windows.every(({ timezone }) => isKnownZone(timezone)) && nextOpening(windows, now) !== null,
  );
  return (span) => {
    const bounds = schedules.map(({ windows }) => ({
      from: span.from === null ? Number.NEGATIVE_INFINITY : readyAt(windows, span.from, now),
      to: span.to === null ? Number.POSITIVE_INFINITY : readyAt(windows, span.to, now),
    }));
    return condition(caller, now, schedules, bounds);
  };
}

/** Index: enrolments_active, which contains only waiting enrolments. */
async function readSchedules(db: Queryable, caller: Caller): Promise<Schedule[]> {
  const rows = await db.query<ScheduleRow>(sql`
    select distinct n.campaign_id, a.id as account_id, coalesce(n.variant, '') as variant, ${windowColumns('k')},
      ${contactZone('n', 'k')} as contact_timezone, coalesce(${contactZone('n', 'k')}, '') as zone,
      a.timezone as account_timezone, a.send_window_start_hour, a.send_window_end_hour
    from (select distinct e.campaign_id, e.account_id, e.variant, e.timezone from enrolments e where ${isWaiting('e')}) n
    join campaigns k on k.id = n.campaign_id and ${campaignIs('k', 'active')} and ${visible(caller, 'campaigns', 'k')}
    join accounts a on a.id = ${sendsFrom('n', 'k')}`);
  return rows.map((row) => ({ ...row, windows: [campaignWindow(row), accountWindow(row)] }));
}

function condition(caller: Caller, now: Date, schedules: readonly Schedule[], bounds: readonly { from: number; to: number }[]): Sql {
  const seconds = (milliseconds: number) => milliseconds / 1000;
  const ready = sql`greatest(to_timestamp(${seconds(now.getTime())}::float8), n.due_at, n.held_until, k.starts_at)`;
  return sql`exists (
    select from enrolments n
    join campaigns k on k.id = n.campaign_id and ${campaignIs('k', 'active')} and ${visible(caller, 'campaigns', 'k')}
    join steps s on s.campaign_id = n.campaign_id and s.step_order = n.current_step and ${isLiveStep('s', 'email')}
    join unnest(
      ${schedules.map((schedule) => schedule.campaign_id)}::int[], ${schedules.map((schedule) => schedule.account_id)}::int[],
      ${schedules.map((schedule) => schedule.variant)}::text[], ${schedules.map((schedule) => schedule.zone)}::text[],
      ${bounds.map(({ from }) => seconds(from))}::float8[], ${bounds.map(({ to }) => seconds(to))}::float8[]
    ) as w (campaign_id, account_id, variant, zone, ready_from, ready_to)
      on w.campaign_id = n.campaign_id and w.account_id = ${sendsFrom('n', 'k')} and w.variant = coalesce(n.variant, '')
      and w.zone = coalesce(${contactZone('n', 'k')}, '')
    where n.contact_id = c.id and ${isWaiting('n')}
      and ${ready} >= to_timestamp(w.ready_from) and ${ready} < to_timestamp(w.ready_to))`;
}

/**
 * Finds the earliest instant at which an enrolment may become ready for its email to leave at `instant` or later. That is the instant
 * itself if the windows are open just before it, else the last time they closed, which is a whole minute in every time zone.
 * @returns milliseconds since 1970, or -Infinity if `instant` is not after `now`
 */
export function readyAt(windows: readonly SendingWindow[], instant: number, now: Date): number {
  if (instant <= now.getTime()) return Number.NEGATIVE_INFINITY;
  const justBefore = new Date(instant - 1);
  if (windows.every((window) => isOpen(window, justBefore))) return instant;
  const leavesNoEarlier = (ready: number) => (nextOpening(windows, new Date(ready))?.getTime() ?? Number.POSITIVE_INFINITY) >= instant;
  const earliest = Math.max(now.getTime(), instant - horizonOf(windows) * DAY);
  if (leavesNoEarlier(earliest)) return earliest;
  let [early, late] = [Math.floor(earliest / MINUTE), Math.ceil(instant / MINUTE)];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (leavesNoEarlier(middle * MINUTE)) late = middle;
    else early = middle;
  }
  return late * MINUTE;
}
