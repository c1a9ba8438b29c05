import { raw, type Sql, sql } from '../db/statement.ts';
import { MEASURES, measureSums } from './measures.ts';

/** The columns by which `domain_quarters` sums `domain_totals` up. */
export const QUARTER_CELL = 'campaign_id, is_private, quarter, domain, audience';

const APART = 8;
/** Days of a month that are places: from each of them on, the emails of its quarter are summed up in a column. */
const PLACES = [1, APART, 2 * APART, 3 * APART];
/** A column for each place of a quarter, by the number of places before it. */
const COLUMNS = Array.from({ length: 3 * PLACES.length }, (_, place) => (place === 0 ? 'sent' : `from_${place}`));
const SUMS = [...COLUMNS.slice(1), ...MEASURES];

/** The columns with sums. */
export const quarterSums: Sql = raw(SUMS.join(', '));

/** The same of a row `c`; one that is missing counts as zero. */
export const countedQuarter: Sql = raw(SUMS.map((name) => `coalesce(c.${name}, 0) as ${name}`).join(', '));

const zeroed = (alias: string): string => SUMS.map((name) => `coalesce(${alias}.${name}, 0)`).join(', ');
/** A condition on rows `c` and `n`: their sums differ. */
export const quartersDiffer: Sql = raw(`(${zeroed('c')}) is distinct from (${zeroed('n')})`);

/** Assignments that add to the sums of a row `r`, or set them, after `on conflict do update set`. */
export const addToQuarter: Sql = raw(SUMS.map((name) => `${name} = r.${name} + excluded.${name}`).join(', '));
export const setQuarter: Sql = raw(SUMS.map((name) => `${name} = excluded.${name}`).join(', '));

const emailsFrom = (place: number): string => `coalesce(sum(d.sent) filter (where d.place >= ${place}), 0)::int`;

/** Selects `QUARTER_CELL` and the sums of counters by domain that meet a condition. */
export const sumsByQuarter = (counters: Sql, which: Sql): Sql => sql`
  select ${raw(QUARTER_CELL)}, ${raw(
    COLUMNS.slice(1)
      .map((_, index) => `${emailsFrom(index + 1)} as from_${index + 1}`)
      .join(', '),
  )}, ${measureSums('d')}
  from (
    -- Worked out once, and not in each sum: hence the offset.
    select c.*, date_trunc('quarter', c.day::timestamp)::date as quarter,
      (date_part('month', c.day)::int - 1) % 3 * ${PLACES.length} + date_part('day', c.day)::int / ${APART} as place
    from ${counters} c where ${which} and c.day > '-infinity' offset 0
  ) d group by ${raw(QUARTER_CELL)}`;

/** A place in a quarter: its day, and the column with the emails of the quarter from there on. */
export interface QuarterPlace {
  quarter: string;
  day: string;
  column: Sql;
}

/** The place nearest to a day (`YYYY-MM-DD`), at most four days from it. */
export function nearestPlace(day: string): QuarterPlace {
  const date = new Date(day);
  const away = (place: Date) => Math.abs(place.getTime() - date.getTime());
  const places = [...PLACES.map((place) => inMonth(date, 0, place)), inMonth(date, 1, 1)];
  const nearest = places.reduce((best, place) => (away(place) < away(best) ? place : best));
  const column = COLUMNS[(nearest.getUTCMonth() % 3) * PLACES.length + PLACES.indexOf(nearest.getUTCDate())];
  return { quarter: nameOf(inQuarter(nearest, 0)), day: nameOf(nearest), column: raw(`r.${column}`) };
}

/** The first day of the quarter that a day is in, and that of the next. */
export function quarterOf(day: string): [string, string] {
  const date = new Date(day);
  return [nameOf(inQuarter(date, 0)), nameOf(inQuarter(date, 1))];
}

const inMonth = (date: Date, later: number, day: number): Date => new Date(new Date(date).setUTCMonth(date.getUTCMonth() + later, day));
const inQuarter = (date: Date, later: number): Date => inMonth(date, 3 * later - (date.getUTCMonth() % 3), 1);

const nameOf = (date: Date): string => date.toISOString().slice(0, 10);
