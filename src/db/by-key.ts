import type { EntityManager } from '@mikro-orm/postgresql';
import pg, { type ClientBase, type Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Logger } from '../core/log.ts';
import type { Sql, Tx } from './statement.ts';

/**
 * PostgreSQL keeps the plan of a prepared statement until the statistics of its tables change. One that was made while
 * the tables were small reads all of them for every mail when they have grown: 1.5 ms a permit at 2,000 mails, 0.1 ms
 * like this. The statements name their rows by key, so nothing but an index is right, in the order of the joins.
 */
export const BY_INDEX = `set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;
  set join_collapse_limit = 1; set from_collapse_limit = 1; set plan_cache_mode = force_generic_plan`;

/** Opens the connections on which `byKey` of a database runs, each when it is first needed. */
export function openKeyedPool(config: PoolConfig & { max: number }, adapt: (client: PoolClient) => void): Pool {
  // The pool waits for this before it gives a new connection to anybody, which its types don't tell.
  const onConnect = async (client: ClientBase) => void (await client.query(BY_INDEX));
  return new pg.Pool({ ...config, onConnect }).on('connect', adapt);
}

/** Entities travel on other connections: only that there is nothing to write is true here. */
const noEntities = new Proxy({} as EntityManager, {
  get(_, name) {
    if (name === 'flush') return async () => undefined;
    throw new Error(`a transaction by key has no entity manager (${String(name)})`);
  },
});

/** Runs `work` once in a transaction on one of the connections; then what it left to be done after the commit. */
export async function keyedTransaction<Result>(pool: Pool, log: Logger, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const todo: (() => Promise<void>)[] = [];
  const client = await pool.connect();
  let failure: Error | undefined;
  const lost = (error: Error) => {
    failure = error;
  };
  // A connection that is cut between two statements tells so by this event alone.
  client.on('error', lost);
  const query = async <Row>({ text, values }: Sql): Promise<Row[]> => (await client.query(text, values)).rows as Row[];
  let result: Result;
  try {
    await client.query('begin');
    result = await work({ em: noEntities, query, afterCommit: (task) => void todo.push(task) });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(lost);
    throw error;
  } finally {
    client.off('error', lost);
    client.release(failure);
  }
  for (const task of todo) await task().catch((error: unknown) => log.error({ err: error }, 'work after a commit failed'));
  return result;
}
