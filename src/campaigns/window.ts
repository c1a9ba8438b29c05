import type { DateTime } from 'luxon';
import { DAY, HOUR } from '../clock.ts';
import { inZone } from '../zone.ts';

/**
 * Hours in which mail may leave, `[startHour, endHour)` of the zone's local time; the end is 1 to 24. A start after the
 * end reaches over midnight and belongs to the day on which it began.
 */
export interface SendingWindow {
  timezone: string;
  startHour: number;
  endHour: number;
  /** ISO weekdays, 1 Monday to 7 Sunday; null means every day. */
  days: readonly number[] | null;
}

/** Beyond this a schedule has no opening worth waiting for. */
const HORIZON_DAYS = 15;

/** Whether the window is open at that instant. */
export function isOpen(window: SendingWindow, instant: Date): boolean {
  const local = inZone(instant, window.timezone);
  const { startHour, endHour } = window;
  if (startHour < endHour) return local.hour >= startHour && local.hour < endHour && isSendingDay(window, local);
  if (local.hour >= startHour) return isSendingDay(window, local);
  return local.hour < endHour && isSendingDay(window, local.minus({ days: 1 }));
}

const isSendingDay = (window: SendingWindow, day: DateTime) => window.days === null || window.days.includes(day.weekday);

/** The earliest instant, `from` or later, at which the window is open; null when there is none in sight. */
function nextOpeningOf(window: SendingWindow, from: Date): Date | null {
  if (isOpen(window, from)) return from;
  const local = inZone(from, window.timezone);
  for (let ahead = 0; ahead <= HORIZON_DAYS; ahead++) {
    const day = local.plus({ days: ahead }).startOf('day');
    if (!isSendingDay(window, day)) continue;
    // Setting the hour on a day that skips it gives the next valid one, which may lie behind the window's end.
    const opening = day.set({ hour: window.startHour }).toJSDate();
    if (opening >= from && isOpen(window, opening)) return opening;
  }
  return null;
}

/** The earliest instant, `from` or later, at which all windows are open at once; null when they never meet. */
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
