import { hash } from 'node:crypto';
import type { CustomTypesConfig } from 'pg';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';

export { empty, join, raw, type Sql, sql };

/**
 * A statement prepared under a name, so that each connection plans it once. Outside a transaction its kind also chooses the
 * connections it runs on; inside, it runs on the transaction's.
 */
export interface PreparedStatement {
  readonly kind: 'prepared' | 'look-up' | 'planning' | 'by key';
  /** Shown in `pg_prepared_statements`; at most 40 characters. */
  readonly name: string;
  readonly sql: Sql;
}

/** Plain SQL, which is planned each time, or a prepared statement. */
export type Statement = Sql | PreparedStatement;

/** Anything that runs statements: the database, or a transaction. */
export interface Queryable {
  /** Runs one statement and returns its rows. Values travel as parameters, never as text. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

/**
 * Prepares a statement that runs often with the same text. Planning is most of the cost of a read by key (a key and a contact:
 * 2,600 requests/s planned each time, 10,700 prepared) and half that of a page. Outside transactions it runs where the planner
 * keeps to indexes and to the written order of joins. Not for bulk work, whose plan must fit the moment, nor for text that
 * varies with a search.
 */
export const prepared = (name: string, statement: Sql): PreparedStatement => ({ kind: 'prepared', name, sql: statement });

/**
 * Prepares a statement that finds a few rows by key, in well under a millisecond, and changes nothing. Outside transactions it
 * shares one connection with the look-ups of other requests, see `openLookups`.
 */
export const lookup = (name: string, statement: Sql): PreparedStatement => ({ kind: 'look-up', name, sql: statement });

/**
 * Prepares a read by which sending is planned, in about a millisecond. Outside transactions it shares one connection with those of other
 * batches, like a look-up; requests, which wait for look-ups, do not wait behind it.
 */
export const planning = (name: string, statement: Sql): PreparedStatement => ({ kind: 'planning', name, sql: statement });

/**
 * Prepares a statement that runs for every email and finds all its rows by key. Outside transactions it runs on connections of
 * its own, whose planner may not scan tables, and never waits behind a slow read.
 */
export const byKey = (name: string, statement: Sql): PreparedStatement => ({ kind: 'by key', name, sql: statement });

/** A statement as pg takes it. */
export interface Query {
  name?: string;
  text: string;
  values: unknown[];
  /** The types of the connection by default. */
  types?: CustomTypesConfig;
}

/**
 * Returns the statement as pg takes it, without the name if `isNamed` is false: behind a pooler, the next transaction may meet
 * a server that has prepared nothing. One name may stand for several texts, since fragments vary with the caller's role and
 * with optional conditions; the hash of the text makes the name on the connection unique.
 */
export function queryOf(statement: Statement, isNamed = true, types?: CustomTypesConfig): Query {
  const { text, values } = 'kind' in statement ? statement.sql : statement;
  const query = { text, values, ...(types && { types }) };
  if (!('kind' in statement) || !isNamed) return query;
  return { name: `${statement.name} ${hash('sha1', text, 'hex').slice(0, 16)}`, ...query };
}
