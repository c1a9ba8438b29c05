import { authenticate, type Caller, operator } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { preparedName, type Queryable, type Sql } from '../src/db/database.ts';

export interface RecordedStatement {
  text: string;
  values: unknown[];
  isPrepared: boolean;
}

/** What a room does for a request, for the bare server to do likewise. */
export interface RecordedRequest {
  /** A `row` alone; a `page` and its total at once; or `found`: one after the other, the last but one with the total. */
  shape: 'row' | 'page' | 'found';
  statements: RecordedStatement[];
  pagination?: { limit: number; offset: number };
}

/** A request to the API, and the function of the room behind it. */
export interface Request {
  path: string;
  shape: RecordedRequest['shape'];
  pagination?: { limit: number; offset: number };
  read(app: App, caller: Caller): Promise<unknown>;
}

/** The statements that our own functions send for these requests and for the key look-up. */
export async function record(app: App, key: string, requests: readonly Request[]) {
  const [keyStatement] = await statementsOf(app, (recording) => authenticate(recording.db, `Bearer ${key}`, null));
  const recorded: Record<string, RecordedRequest> = {};
  for (const { path, shape, pagination, read } of requests) {
    const statements = await statementsOf(app, (recording) => read(recording, operator(1, 1)));
    recorded[path] = { shape, statements, ...(pagination === undefined ? {} : { pagination }) };
  }
  return { key: keyStatement, requests: recorded };
}

/** Every statement that the work sends, in order, those of its transactions too; the work is done for real. */
export async function statementsOf(app: App, work: (app: App) => Promise<unknown>): Promise<RecordedStatement[]> {
  const statements: RecordedStatement[] = [];
  const recorderOn = (on: Queryable): Queryable => ({
    query: (statement: Sql) => {
      statements.push({ text: statement.text, values: statement.values, isPrepared: preparedName(statement.text) !== undefined });
      return on.query(statement);
    },
  });
  const tx: App['db']['tx'] = (inTx) => app.db.tx((on) => inTx({ ...on, ...recorderOn(on) }));
  await work({ ...app, db: { ...app.db, ...recorderOn(app.db), tx } });
  return statements;
}
