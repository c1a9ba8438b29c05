import { raw, type Sql } from './statement.ts';

/** Formats a timestamptz column as the API shows it: UTC, `YYYY-MM-DD HH:MM:SS`. For use in a select list. */
export const timestamp = (column: string): Sql => raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS')`);
