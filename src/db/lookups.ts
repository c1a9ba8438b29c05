import type pg from 'pg';
import type { CustomTypesConfig } from 'pg';
import { MicroBatcher } from '../core/micro-batcher.ts';
import { isConnectionLost } from './connection-loss.ts';
import { keepToIndexes } from './pools.ts';
import type { Session } from './session.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';

/** A connection that does not answer for this long is replaced. */
const PATIENCE_MILLISECONDS = 30_000;

export interface Lookups {
  /** @param types those of the values, unless as on every connection */
  query<Row>(statement: Statement, types?: CustomTypesConfig): Promise<Row[]>;
  close(): Promise<void>;
}

interface Question {
  statement: Statement;
  types: CustomTypesConfig | undefined;
}

/**
 * Opens one connection that the look-ups of all requests share, since waking a server process costs more than finding a row by
 * key: those of one turn of the event loop travel in one packet, and a key and a contact take 70 µs of PostgreSQL's time
 * instead of 400. The reads by which batches are planned share another. Answers come in order, so no slow statement may run here. When the
 * connection is lost, the next look-up opens another, and those in flight run again on the pool, which is safe because look-ups change
 * nothing.
 */
export function openLookups(session: Session, pool: Queryable, onLost: (error: Error) => void): Lookups {
  let connection: Promise<pg.Client> | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new session.Client({ ...session.config, pipeline: true, query_timeout: PATIENCE_MILLISECONDS });
    client.on('error', onLost);
    await client.connect();
    await keepToIndexes(client);
    return client;
  }

  function connected(): Promise<pg.Client> {
    if (connection !== undefined) return connection;
    const opening = connect();
    const forget = () => {
      if (connection === opening) connection = undefined;
    };
    opening.then((client) => client.once('error', forget).once('end', forget), forget);
    connection = opening;
    return opening;
  }

  /** Writes the look-ups of one turn as one packet; their answers come later, each by itself. */
  async function ask(questions: readonly Question[]): Promise<Promise<unknown[]>[]> {
    const client = await connected().catch(() => undefined);
    if (client === undefined) return questions.map(({ statement }) => pool.query(statement));
    const { stream } = client.connection;
    stream.cork();
    const answers = questions.map(({ statement, types }) =>
      client.query(queryOf(statement, true, types)).then(
        ({ rows }): unknown[] => rows,
        (error: unknown) => (isConnectionLost(error) ? pool.query(statement) : Promise.reject(error)),
      ),
    );
    stream.uncork();
    return answers;
  }

  const batcher = new MicroBatcher({ work: ask });

  return {
    query: <Row>(statement: Statement, types?: CustomTypesConfig) => batcher.add({ statement, types }) as Promise<Row[]>,
    close: async () => (await connection?.catch(() => undefined))?.end(),
  };
}
