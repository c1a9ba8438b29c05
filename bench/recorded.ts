import { authenticate, type Caller, operator } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { type Queryable, queryOf, type Statement } from '../src/db/statement.ts';
import type { Tx } from '../src/db/transaction.ts';

export interface RecordedStatement {
  text: string;
  values: unknown[];
  isPrepared: boolean;
}

/** The statements of a request, for the bare server to repeat. */
export interface RecordedRequest {
  /** `row`: one statement; `page`: a page and its total concurrently; `found`: one after the other, the last but one with the total. */
  shape: 'row' | 'page' | 'found';
  statements: RecordedStatement[];
  pagination?: { limit: number; offset: number };
}

/** A request to the API, and the function that serves it. */
export interface Request {
  path: string;
  shape: RecordedRequest['shape'];
  pagination?: { limit: number; offset: number };
  read(app: App, caller: Caller): Promise<unknown>;
}

/** Records the statements that our functions send for these requests and for the look-up of the key. */
export async function record(app: App, key: string, requests: readonly Request[]) {
  const [keyStatement] = await statementsOf(app, (recording) => authenticate(recording, `Bearer ${key}`, null));
  const recorded: Record<string, RecordedRequest> = {};
  for (const { path, shape, pagination, read } of requests) {
    const statements = await statementsOf(app, (recording) => read(recording, operator(1, 1)));
    recorded[path] = { shape, statements, ...(pagination === undefined ? {} : { pagination }) };
  }
  return { key: keyStatement, requests: recorded };
}

/** Records every statement that the callback sends, in order, including those of transactions. The callback's changes are kept. */
export async function statementsOf(app: App, work: (app: App) => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  const recorded =
    (on: Queryable): Queryable['query'] =>
    (statement: Statement) => {
      const { name, text, values } = queryOf(statement);
      statements.push({ text, values, isPrepared: name !== undefined });
      return on.query(statement);
    };
  const recordedTx = (on: Tx): Tx => ({
    entity: on.entity,
    query: recorded(on),
    savepoint: (work) => on.savepoint((part) => work(recordedTx(part))),
    afterCommit: on.afterCommit,
  });
  const { db } = app;
  const recordedDb: App['db'] = {
    ...db,
    query: recorded(db),
    tx: (work) => db.tx((tx) => work(recordedTx(tx))),
    forRequests: () => recordedDb,
  };
  await work({ ...app, db: recordedDb });
  return statements;
}
