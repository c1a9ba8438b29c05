import pg, { type ClientConfig } from 'pg';
import { keepToIndexes } from './pools.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';

/** A connection that gives no answer for so long is replaced. */
const PATIENCE_MILLISECONDS = 30_000;

export interface Lookups extends Queryable {
  close(): Promise<void>;
}

/** The connection's fault and not the statement's: it broke, or the server is shutting down (SQLSTATE 57P01 to 57P03). */
const isLoss = (error: unknown) => !(error instanceof pg.DatabaseError) || error.code?.startsWith('57P') === true;

interface Waiting {
  statement: Statement;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/**
 * One connection that the look-ups of all requests share, since waking a server process costs more than finding a row by
 * its key: what is asked in one turn of the event loop travels in one packet, and a key and a contact take 70 µs of
 * PostgreSQL's time instead of 400. Answers come in order, so nothing slow may be asked here. When the connection is lost,
 * the next look-up opens another, and what was asked on it is asked again of the pool, which may be done since look-ups
 * change nothing.
 */
export function openLookups(session: ClientConfig, pool: Queryable, onLost: (error: Error) => void): Lookups {
  let waiting: Waiting[] = [];
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

  async function send(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const client = await connected();
      const { stream } = client.connection;
      stream.cork();
      for (const asked of batch) {
        const { statement, resolve, reject } = asked;
        client.query(queryOf(statement)).then(
          ({ rows }) => resolve(rows),
          (error: unknown) => (isLoss(error) ? askAgain(asked) : reject(error)),
        );
      }
      stream.uncork();
    } catch {
      for (const asked of batch) askAgain(asked);
    }
  }

  const askAgain = ({ statement, resolve, reject }: Waiting) => void pool.query(statement).then(resolve, reject);

  return {
    query: <Row>(statement: Statement) =>
      new Promise<Row[]>((resolve, reject) => {
        waiting.push({ statement, resolve: resolve as Waiting['resolve'], reject });
        if (waiting.length === 1) setImmediate(() => void send());
      }),
    close: async () => (await connection?.catch(() => undefined))?.end(),
  };
}
