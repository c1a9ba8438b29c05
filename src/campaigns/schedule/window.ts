import { DAY, HOUR } from '../../core/clock.ts';
import { holidayOn } from '../../core/holidays.ts';
import { atLocalTime, localTime } from '../../core/zone.ts';

/** Hours of a day: `[startHour, endHour)` in local time, the end from 1 to 24. A start after the end spans midnight. */
export interface Hours {
  startHour: number;
  endHour: number;
}

/** Hours in which emails may leave. Those that span midnight belong to the day on which they begin. */
export interface SendingWindow extends Hours {
  timezone: string;
  /** ISO weekdays, 1 Monday to 7 Sunday; null means every day. */
  days: readonly number[] | null;
  /** Further hours of the same days; none by default. */
  more?: readonly Hours[];
  /** Region on whose public holidays nothing is sent, from midnight to midnight, such as `DE-BY`; none by default. */
  holidays?: string | null;
}

/**
 * Number of days without an opening after which a schedule counts as never open. Holidays can close a window of one day a week for several
 * weeks.
 */
const HORIZON_DAYS = 15;
const HORIZON_DAYS_WITH_HOLIDAYS = 50;

/** Returns the number of days without an opening after which windows count as never open. */
export const horizonOf = (windows: readonly SendingWindow[]): number =>
  windows.some(({ holidays }) => holidays != null) ? HORIZON_DAYS_WITH_HOLIDAYS : HORIZON_DAYS;

/** True if the window is open at that instant. */
export function isOpen(window: SendingWindow, instant: Date): boolean {
  const local = localTime(instant, window.timezone);
  const day = Math.floor(local / DAY);
  const hour = Math.floor(local / HOUR) % 24;
  const isWithin = hasHour(window, window, day, hour) || (window.more?.some((hours) => hasHour(window, hours, day, hour)) ?? false);
  return isWithin && !isHoliday(window, day);
}

function hasHour(window: SendingWindow, { startHour, endHour }: Hours, day: number, hour: number): boolean {
  if (startHour < endHour) return hour >= startHour && hour < endHour && isSendingDay(window, day);
  return hour >= startHour ? isSendingDay(window, day) : hour < endHour && isSendingDay(window, day - 1);
}

/** ISO weekday of a day counted from 1 January 1970, a Thursday. */
export const weekdayOf = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1;

const isSendingDay = (window: SendingWindow, day: number) => window.days === null || window.days.includes(weekdayOf(day));

const isHoliday = ({ holidays }: SendingWindow, day: number) => holidays != null && holidayOn(holidays, day) !== null;

/** Returns the name of the holiday that keeps the window closed on the local day of an instant; null if there is none. */
export const holidayAt = ({ holidays, timezone }: SendingWindow, instant: Date): string | null =>
  holidays == null ? null : holidayOn(holidays, Math.floor(localTime(instant, timezone) / DAY));

/** Finds the earliest instant, `from` or later, at which the window is open; null if none is within the horizon. */
function nextOpeningOf(window: SendingWindow, from: Date): Date | null {
  if (isOpen(window, from)) return from;
  const today = Math.floor(localTime(from, window.timezone) / DAY);
  const last = today + horizonOf([window]);
  const starts = startsOf(window);
  for (let day = today; day <= last; day++) {
    if (!isSendingDay(window, day) && !isSendingDay(window, day - 1)) continue;
    for (const hour of starts) {
      // A start that daylight saving skips becomes the next valid time, which may be after the window's end.
      const opening = atLocalTime(day * DAY + hour * HOUR, window.timezone);
      if (opening >= from && isOpen(window, opening)) return opening;
    }
  }
  return null;
}

/** Returns the hours at which a window may open, ascending. Hours that span midnight continue at midnight after a holiday. */
function startsOf({ startHour, endHour, more = [], holidays }: SendingWindow): number[] {
  if (more.length === 0 && holidays == null) return [startHour];
  const all = [{ startHour, endHour }, ...more];
  const starts = all.map((hours) => hours.startHour);
  if (holidays != null && all.some((hours) => hours.startHour >= hours.endHour)) starts.push(0);
  return [...new Set(starts)].sort((one, other) => one - other);
}

/** Finds the earliest instant, `from` or later, at which all windows are open at the same time; null if none is within the horizon. */
export function nextOpening(windows: readonly SendingWindow[], from: Date): Date | null {
  let candidate = from;
  const limit = from.getTime() + horizonOf(windows) * DAY;
  while (candidate.getTime() <= limit) {
    let latest = candidate;
    for (const window of windows) {
      const opening = nextOpeningOf(window, latest);
      if (opening === null) return null;
      latest = opening;
    }
    if (windows.every((window) => isOpen(window, latest))) return latest;
    candidate = latest > candidate ? latest : new Date(candidate.getTime() + HOUR);
  }
  return null;
}
