import { DAY, HOUR } from '../../core/clock.ts';
import { holidayOn } from '../../core/holidays.ts';
import type { Wait } from '../../core/wait-text.ts';
import { addCalendarDays, localTime, zoneOrUtc } from '../../core/zone.ts';
import { weekdayOf } from './window.ts';

/** The calendar by which a campaign counts days. */
export interface Calendar {
  timezone: string;
  /** Region whose public holidays are no business days; none by default. */
  holidays?: string | null | undefined;
}

/**
 * When a wait that began at `from` is over: the same local time so many days later, and then the hours, which are elapsed time and
 * so the same over a clock change. An unknown time zone counts as UTC.
 */
export function endOfWait(from: Date, { wait_days, wait_hours = 0, business_days = false }: Wait, calendar: Calendar): Date {
  const timezone = zoneOrUtc(calendar.timezone);
  const days = business_days ? calendarDays(from, wait_days, timezone, calendar.holidays ?? null) : wait_days;
  return new Date(addCalendarDays(from, days, timezone).getTime() + wait_hours * HOUR);
}

/** The calendar days that so many business days take. */
function calendarDays(from: Date, businessDays: number, timezone: string, holidays: string | null): number {
  const today = Math.floor(localTime(from, timezone) / DAY);
  let days = 0;
  for (let left = businessDays; left > 0; ) {
    days++;
    const day = today + days;
    if (weekdayOf(day) <= 5 && (holidays === null || holidayOn(holidays, day) === null)) left--;
  }
  return days;
}
