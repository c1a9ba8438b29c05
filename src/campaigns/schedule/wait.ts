import { DAY, HOUR } from '../../core/clock.ts';
import { holidayOn } from '../../core/holidays.ts';
import type { Wait } from '../../core/wait-text.ts';
import { addCalendarDays, localTime, zoneOrUtc } from '../../core/zone.ts';
import { weekdayOf } from './window.ts';

/** The calendar by which a campaign counts days. */
export interface Calendar {
  timezone: string;
  /** Region whose public holidays are not business days; none by default. */
  holidays?: string | null | undefined;
}

/**
 * Returns the end of a wait that began at `from`: the same local time `wait_days` later, plus the hours, which are elapsed time regardless
 * of clock changes. An unknown time zone counts as UTC.
 */
export function endOfWait(from: Date, { wait_days, wait_hours = 0, business_days = false }: Wait, calendar: Calendar): Date {
  const timezone = zoneOrUtc(calendar.timezone);
  const days = business_days ? calendarDays(from, wait_days, timezone, calendar.holidays ?? null) : wait_days;
  return new Date(addCalendarDays(from, days, timezone).getTime() + wait_hours * HOUR);
}

/** Returns the number of calendar days that a number of business days takes. */
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
