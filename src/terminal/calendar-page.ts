import type { Client as Api } from '../client/create-client.ts';
import type { Screen } from './screen.ts';
import { table } from './table.ts';

type Calendar = Awaited<ReturnType<Api['calendar']['read']['query']>>;

/** Returns the days of a calendar and its accounts as two tables; an empty string without accounts. */
export function calendarTables({ days, accounts }: Calendar, screen: Screen): string {
  if (accounts.length === 0) return '';
  return [
    table(days.map(withWeekday), ['day', 'weekday', 'emails', 'free'], screen),
    table(accounts, ['account_email', 'emails', 'free'], screen),
  ].join('\n\n');
}

const withWeekday = (day: Calendar['days'][number]) => ({ ...day, weekday: WEEKDAY.format(new Date(`${day.day}T00:00:00Z`)) });

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });
