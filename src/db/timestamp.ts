import { raw, type Sql } from './statement.ts';

/** A timestamptz column as the API shows it: UTC, `YYYY-MM-DD HH:MM:SS`. For use in a select list. */
export const timestamp = (column: string): Sql => raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS')`);

/** An instant as the API shows it: UTC, `YYYY-MM-DD HH:MM:SS`. */
export const formatTimestamp = (instant: Date): string => instant.toISOString().slice(0, 19).replace('T', ' ');

/** The instant that `timestamp` or `formatTimestamp` has written, to the second. */
export const parseTimestamp = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`);
