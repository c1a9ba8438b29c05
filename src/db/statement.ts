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
  /** Runs one statement and returns its rows. Values are sent as parameters, never as part of the text. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
}

/**
 * Names a statement that runs often with the same text (node-postgres's `name`): for a read by key, planning is most of the cost.
 *
 * PostgreSQL keeps a plan until the statistics of a table change. So a prepared statement must find its rows by key whatever the size of
 * its tables when it is planned: by arrays of ids, and by subqueries that each read one row. Don't use it for text that varies with a
 * search, or if the plan must fit the values.
 *
 * Write an array as `(select ${ids}::int[])`. PostgreSQL sees the length of a bare array. A plan for its few elements then looks so much
 * cheaper than a generic one that it plans every time: planning took half of the time of recording a sent email.
 */
export const prepared = (name: string, statement: Sql): PreparedStatement => ({ name, sql: statement });

/** A statement in the form that pg accepts. */
export interface Query {
  name?: string;
  text: string;
  values: unknown[];
  /** Default: the types of the connection. */
  types?: CustomTypesConfig;
}

/** The name on the connection of each text that has run. There is one for each combination of conditions: a few hundred. */
const names = new Map<string, string>();

/**
 * Returns the statement in the form that pg accepts, without the name if `isNamed` is false: behind a pooler, the next transaction may run
 * on a connection where the statement is not prepared. Several texts may have one name, since fragments vary with the caller's role and
 * with optional conditions. A number makes the name unique on the connection.
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
