import pg, { type ClientConfig } from 'pg';
import { MicroBatcher } from '../core/micro-batcher.ts';
import { keepToIndexes } from './pools.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';

/** A connection that gives no answer for so long is replaced. */
const PATIENCE_MILLISECONDS = 30_000;

export interface Lookups extends Queryable {
  close(): Promise<void>;
}

/** The connection's fault and not the statement's: it broke, or the server is shutting down (SQLSTATE 57P01 to 57P03). */
const isLoss = (error: unknown) => !(error instanceof pg.DatabaseError) || error.code?.startsWith('57P') === true;

/**
 * One connection that the look-ups of all requests share, since waking a server process costs more than finding a row by
 * its key: what is asked in one turn of the event loop travels in one packet, and a key and a contact take 70 µs of
 * PostgreSQL's time instead of 400. Answers come in order, so nothing slow may be asked here. When the connection is lost,
 * the next look-up opens another, and what was asked on it is asked again of the pool, which may be done since look-ups
 * change nothing.
 */
export function openLookups(session: ClientConfig, pool: Queryable, onLost: (error: Error) => void): Lookups {
  let connection: Promise<pg.Client> | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...session, pipeline: true, query_timeout: PATIENCE_MILLISECONDS });
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
  async function ask(statements: readonly Statement[]): Promise<Promise<unknown[]>[]> {
    const client = await connected().catch(() => undefined);
    if (client === undefined) return statements.map((statement) => pool.query(statement));
    const { stream } = client.connection;
    stream.cork();
    const answers = statements.map((statement) =>
      client.query(queryOf(statement)).then(
        ({ rows }): unknown[] => rows,
        (error: unknown) => (isLoss(error) ? pool.query(statement) : Promise.reject(error)),
      ),
    );
    stream.uncork();
    return answers;
  }

  const batcher = new MicroBatcher({ work: ask });

  return {
    query: <Row>(statement: Statement) => batcher.add(statement) as Promise<Row[]>,
    close: async () => (await connection?.catch(() => undefined))?.end(),
  };
}
