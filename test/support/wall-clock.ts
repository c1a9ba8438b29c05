import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';

/** Zones with all differences: hours of change, half-hour changes, changes by the moon, none at all, beyond the date line. */
export const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Havana',
  'Africa/Cairo',
] as const;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the wall-clock time in the zone, in milliseconds as if it were UTC. Computed by Intl, for tests to compare with. */
export function wallClock(instant: number, timezone: string): number {
  let format = formats.get(timezone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hourCycle: 'h23', ...parts });
    formats.set(timezone, format);
  }
  // `07/07/2026, 14:00:00`
  const [month, day, year, hour, minute, second] = format.format(instant).split(/\D+/).map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** The instants from 2024 to 2030 at which the zone's offset changes, to the minute. */
export function clockChanges(timezone: string): number[] {
  const offset = (instant: number) => wallClock(instant, timezone) - instant;
  const changes: number[] = [];
  let before = offset(Date.UTC(2024, 0, 1));
  for (let day = Date.UTC(2024, 0, 1); day < Date.UTC(2031, 0, 1); day += DAY) {
    if (offset(day + DAY) === before) continue;
    let at = day;
    while (offset(at + HOUR) === before) at += HOUR;
    while (offset(at + MINUTE) === before) at += MINUTE;
    changes.push(at + MINUTE);
    before = offset(day + DAY);
  }
  return changes;
}
