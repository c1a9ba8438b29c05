import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';

export { empty, join, raw, type Sql, sql };

/** Anything a statement can be run on: the pool, or the transaction that a change runs in. */
export interface Queryable {
  /** Runs one statement and gives its rows. Values travel as parameters, never as text. */
  query<Row = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

/** A running transaction: entities for ordinary writes, statements for the rest, one connection for both. */
export interface Tx extends Queryable {
  readonly em: EntityManager;
  /**
   * Has `work` done once the change is committed, before `tx` resolves, and never when it is rolled back: for what can't
   * be taken back, such as a mail. It must not use the transaction any more. Its failure is logged and changes nothing.
   */
  afterCommit(work: () => Promise<void>): void;
}

/** A running transaction with its connection, for COPY. No time limit applies to its statements. */
export interface BulkTx extends Queryable {
  readonly client: PoolClient;
}

const preparedNames = new Map<string, string>();
const lookupTexts = new Set<string>();

/**
 * Marks a statement that is run all the time with the same text: each connection plans it once, in transactions too.
 * Planning is most of what a read by key costs (a key and a contact: 2,600 requests/s planned each time, 10,700
 * prepared), and half of what a page by an index does. Outside of transactions it runs where the planner keeps to indexes
 * and to the order of the joins. Not for bulk work, whose plan must fit the moment, nor for texts that vary with what
 * somebody wrote.
 */
export function prepared(statement: Sql): Sql {
  const { text } = statement;
  if (!preparedNames.has(text)) preparedNames.set(text, `outreach_${preparedNames.size + 1}`);
  return statement;
}

/** The name that a statement of this text is prepared under, if it was marked so. */
export const preparedName = (text: string): string | undefined => preparedNames.get(text);

/**
 * Marks a prepared statement that finds a few rows by their keys, in well under a millisecond, and changes nothing: outside
 * of transactions it travels with those of other requests, see `openLookups`.
 */
export function lookup(statement: Sql): Sql {
  lookupTexts.add(statement.text);
  return prepared(statement);
}

/** Whether a statement of this text was marked as a look-up. */
export const isLookup = (text: string): boolean => lookupTexts.has(text);
