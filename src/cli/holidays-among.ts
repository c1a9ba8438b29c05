import { DAY } from '../core/clock.ts';
import { holidayOn } from '../core/holidays.ts';
import { parseTimestamp } from '../core/timestamp-text.ts';
import { localDay } from '../core/zone.ts';

/**
 * The public holidays of a region between the first and the last email, on which nothing is sent: their days and names.
 * @param emails soonest first, with times as the API shows them
 */
export function holidaysAmong(emails: readonly { send_at: string }[], region: string, timezone: string): string[] {
  const days = emails.map(({ send_at }) => Date.parse(localDay(parseTimestamp(send_at), timezone)) / DAY);
  const [first = 0, last = -1] = [days[0], days.at(-1)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((day) => {
    const name = holidayOn(region, day);
    return name === null ? [] : [`${new Date(day * DAY).toISOString().slice(0, 10)} (${name})`];
  });
}
