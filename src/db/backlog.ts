import { type Sql, sql } from './statement.ts';

/** The number of due rows, and how many seconds the oldest of them is overdue; 0 if nothing is due. */
export interface Backlog {
  due: number;
  lag_seconds: number;
}

/** Seconds from `first`, the earliest due time of a select or null, to `now`. */
export const lagSeconds = (first: Sql, now: Date): Sql => sql`greatest(extract(epoch from ${now}::timestamptz - ${first}), 0)::float8`;
