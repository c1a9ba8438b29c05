import { type Sql, sql } from './statement.ts';

/** Rows whose time has come, and by how many seconds the one that has waited longest is late; 0 when nothing is due. */
export interface Backlog {
  due: number;
  lag_seconds: number;
}

/** Seconds from `first`, the earliest due time of a select or null, to `now`. */
export const lagSeconds = (first: Sql, now: Date): Sql => sql`greatest(extract(epoch from ${now}::timestamptz - ${first}), 0)::float8`;
