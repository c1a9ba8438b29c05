import { DAY, HOUR } from '../../core/clock.ts';
import { atLocalTime, localTime } from '../../core/zone.ts';

/**
 * Hours in which emails may leave: `[startHour, endHour)` in local time, the end from 1 to 24. A window whose start is after
 * its end spans midnight and belongs to the day on which it opens.
 */
export interface SendingWindow {
  timezone: string;
  startHour: number;
  endHour: number;
  /** ISO weekdays, 1 Monday to 7 Sunday; null means every day. */
  days: readonly number[] | null;
}

/** Beyond this a schedule counts as never open. */
const HORIZON_DAYS = 15;

/** True when the window is open at that instant. */
export function isOpen(window: SendingWindow, instant: Date): boolean {
  const local = localTime(instant, window.timezone);
  const hour = Math.floor(local / HOUR) % 24;
  const weekday = weekdayOf(Math.floor(local / DAY));
  const { startHour, endHour } = window;
  if (startHour < endHour) return hour >= startHour && hour < endHour && isSendingDay(window, weekday);
  if (hour >= startHour) return isSendingDay(window, weekday);
  const dayBefore = weekday === 1 ? 7 : weekday - 1;
  return hour < endHour && isSendingDay(window, dayBefore);
}

/** ISO weekday of a day counted from 1 January 1970, a Thursday. */
const weekdayOf = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1;

const isSendingDay = (window: SendingWindow, weekday: number) => window.days === null || window.days.includes(weekday);

/** The earliest instant, `from` or later, at which the window is open; null if none is within the horizon. */
function nextOpeningOf(window: SendingWindow, from: Date): Date | null {
  if (isOpen(window, from)) return from;
  const today = Math.floor(localTime(from, window.timezone) / DAY);
  for (let day = today; day <= today + HORIZON_DAYS; day++) {
    if (!isSendingDay(window, weekdayOf(day))) continue;
    // A start that daylight saving skips becomes the next valid time, which may be after the window's end.
    const opening = atLocalTime(day * DAY + window.startHour * HOUR, window.timezone);
    if (opening >= from && isOpen(window, opening)) return opening;
  }
  return null;
}

/** The earliest instant, `from` or later, at which all windows are open at once; null if none is within the horizon. */
export function nextOpening(windows: readonly SendingWindow[], from: Date): Date | null {
  let candidate = from;
  const limit = from.getTime() + HORIZON_DAYS * DAY;
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
