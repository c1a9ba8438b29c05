import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import { DAY } from './clock.ts';

/** Loaded on first use: its rules take 60 ms and several megabytes, and few commands need them. */
let library: typeof Holidays | undefined;

function load(): typeof Holidays {
  library ??= createRequire(import.meta.url)('date-holidays') as typeof Holidays;
  return library;
}

/** Names of the public holidays by their day, counted from 1 January 1970; by region and year. */
const years = new Map<string, ReadonlyMap<number, string>>();
const MAX_YEARS = 500;

/**
 * Returns the name of the public holiday on a day in a region, in the region's language; null if the day is not a public holiday. Half-days
 * count as working days. A region that the library has dropped has no holidays.
 * @param day counted from 1 January 1970 in the local calendar
 */
export function holidayOn(region: string, day: number): string | null {
  const year = new Date(day * DAY).getUTCFullYear();
  const key = `${region} ${year}`;
  let known = years.get(key);
  if (known === undefined) {
    if (years.size >= MAX_YEARS) years.clear();
    known = holidaysOf(region, year);
    years.set(key, known);
  }
  return known.get(day) ?? null;
}

/** Includes holidays that began in the previous year and last into this one. */
function holidaysOf(region: string, year: number): ReadonlyMap<number, string> {
  const [country = '', state = '', part = ''] = region.split('-');
  const rules = new (load())(country, state, part, { types: ['public'] });
  const names = new Map<number, string>();
  for (const { date, start, end, name, type } of [...rules.getHolidays(year - 1), ...rules.getHolidays(year)]) {
    // `date` is the local day; `start` of days of other calendars is off by the zone of this machine.
    if (type !== 'public' || !date.includes(' 00:00:00')) continue;
    const first = Date.parse(date.slice(0, 10)) / DAY;
    const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY));
    for (let day = first; day < first + length; day++) if (!names.has(day)) names.set(day, name);
  }
  return names;
}
