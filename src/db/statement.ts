import type { CustomTypesConfig } from 'pg';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';

export { empty, join, raw, type Sql, sql };

/** A statement with a name, so that each connection parses it once and may keep its plan. */
export interface PreparedStatement {
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
 * Names a statement that runs often with the same text (node-postgres's `name`): for a read by key, planning is most of the cost.
 *
 * PostgreSQL keeps a plan until the statistics of a table change. So a prepared statement must find its rows by key whatever the size of
 * its tables when it is planned: by arrays of ids, and by subqueries that each read one row. Not for text that varies with a search, nor for
 * work whose plan must fit the values.
 *
 * Write an array as `(select ${ids}::int[])`. PostgreSQL sees the length of a bare one and finds a plan for its few elements so much cheaper
 * than one for any number that it plans every time; planning took half of the time of recording a sent email.
 */
export const prepared = (name: string, statement: Sql): PreparedStatement => ({ name, sql: statement });

/** A statement as pg takes it. */
export interface Query {
  name?: string;
  text: string;
  values: unknown[];
  /** The types of the connection by default. */
  types?: CustomTypesConfig;
}

/** The names on the connection of the texts that ran. There are as many as combinations of conditions, a few hundred. */
const names = new Map<string, string>();

/**
 * Returns the statement as pg takes it, without the name if `isNamed` is false: behind a pooler, the next transaction may meet
 * a server that has prepared nothing. One name may stand for several texts, since fragments vary with the caller's role and
 * with optional conditions; a number makes the name on the connection unique.
 */
export function queryOf(statement: Statement, isNamed = true, types?: CustomTypesConfig): Query {
  const isPrepared = 'name' in statement;
  const { text, values } = isPrepared ? statement.sql : statement;
  const query = { text, values, ...(types && { types }) };
  if (!isPrepared || !isNamed) return query;
  const name = names.get(text) ?? `${statement.name} ${names.size + 1}`;
  names.set(text, name);
  return { name, ...query };
}
