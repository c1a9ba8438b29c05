import { hash } from 'node:crypto';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';

export { empty, join, raw, type Sql, sql };

/**
 * A statement that is prepared under a name: each connection plans it once. Inside of a transaction that is all there is
 * to it; outside, the kind says which connections it runs on.
 */
export interface PreparedStatement {
  readonly kind: 'prepared' | 'look-up' | 'by key';
  /** For people who read `pg_prepared_statements`; at most 40 characters. */
  readonly name: string;
  readonly sql: Sql;
}

/** What can be run: plain SQL, planned each time, or a prepared statement. */
export type Statement = Sql | PreparedStatement;

/** Anything a statement can be run on: the database, or the transaction that a change runs in. */
export interface Queryable {
  /** Runs one statement and gives its rows. Values travel as parameters, never as text. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

/**
 * For a statement that is run all the time with the same text. Planning is most of what a read by key costs (a key and a
 * contact: 2,600 requests/s planned each time, 10,700 prepared), and half of what a page by an index does. Outside of
 * transactions it runs where the planner keeps to indexes and to the order of the joins. Not for bulk work, whose plan
 * must fit the moment, nor for texts that vary with what somebody wrote.
 */
export const prepared = (name: string, statement: Sql): PreparedStatement => ({ kind: 'prepared', name, sql: statement });

/**
 * For a prepared statement that finds a few rows by their keys, in well under a millisecond, and changes nothing: outside of
 * transactions it travels with those of other requests, see `openLookups`.
 */
export const lookup = (name: string, statement: Sql): PreparedStatement => ({ kind: 'look-up', name, sql: statement });

/**
 * For a prepared statement that is run for every email and finds all its rows by their keys: outside of transactions it runs
 * on connections of its own, whose planner may not scan tables, and never waits behind a slow read.
 */
export const byKey = (name: string, statement: Sql): PreparedStatement => ({ kind: 'by key', name, sql: statement });

/** A statement as pg takes it. */
export interface Query {
  name?: string;
  text: string;
  values: unknown[];
}

/**
 * The statement as pg takes it. One name may stand for several texts, since fragments differ with the caller's role or with
 * what is left out; the hash tells them apart on the connection.
 */
export function queryOf(statement: Statement): Query {
  if (!('kind' in statement)) return { text: statement.text, values: statement.values };
  const { text, values } = statement.sql;
  return { name: `${statement.name} ${hash('sha1', text, 'hex').slice(0, 16)}`, text, values };
}
