import { invalid } from '../core/errors.ts';
import { localDay, zoneOrUtc } from '../core/zone.ts';
import type { ReportDays } from '../events/index.ts';

/** A day as `YYYY-MM-DD`, or an instant, which means the day on which it falls. */
type DayOrInstant = string | Date;

/** The first day of a report, and either the last one or the instant at which it ends. */
export interface DaysGiven {
  since?: DayOrInstant | undefined;
  until?: DayOrInstant | undefined;
}

/** Returns the days of a report in a zone. Throws `invalid_request` if they run backwards, because the report would be empty. */
export function daysIn({ since, until }: DaysGiven, timezone: string): ReportDays {
  const zone = zoneOrUtc(timezone);
  const last = until instanceof Date ? new Date(until.getTime() - 1) : until;
  const day = (given: DayOrInstant | undefined) => (given === undefined ? null : given instanceof Date ? localDay(given, zone) : given);
  const days = { since: day(since), until: day(last) };
  if (days.since !== null && days.until !== null && days.until < days.since)
    throw invalid(`until: must not be before since; the first day would be ${days.since}, the last ${days.until}`);
  return days;
}
