import pg, { type ClientBase, type Pool, type PoolConfig } from 'pg';
import { REQUEST_LIMITS, type Session, settingsOf } from './session.ts';

/** One for permits, one for settling; neither waits behind a slow read. */
const KEYED_CONNECTIONS = 2;

/** The connections for prepared reads, for so many of the main pool. */
export const readingConnections = (size: number): number => Math.ceil(size / 2);

/**
 * The connections for claims, for so many of the main pool: few, since each plans its statements again whenever the enrolments have been
 * analyzed, and enough that claims which wait for the limits of a campaign do not hold up the others.
 */
const claimingConnections = (size: number): number => Math.ceil(size / 4);

/**
 * PostgreSQL keeps the plan of a prepared statement until the statistics of its tables change. One that was made while
 * the tables were small reads all of them for every email when they have grown: 1.5 ms a permit at 2,000 emails, 0.1 ms
 * like this. The statements name their rows by key, so nothing but an index is right, in the order of the joins.
 */
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  join_collapse_limit: 1,
  from_collapse_limit: 1,
  plan_cache_mode: 'force_generic_plan',
};

/**
 * The same for statements that take the first few of very many rows: the planner neither sorts nor collects rows of an index if it can read
 * them in their order, so that a limit ends the search.
 */
const BY_ORDER = { ...BY_INDEX, enable_sort: 'off', enable_bitmapscan: 'off' };

/** Sets this for a new connection. A pool waits for it as `onConnect`, though pg's types do not say so. */
const keepTo = (settings: Parameters<typeof settingsOf>[0]) => async (client: ClientBase) =>
  void (await client.query(settingsOf(settings, 'session')));

/** Makes the planner of a new connection keep to indexes. */
export const keepToIndexes = keepTo(BY_INDEX);

/** Connections, and how they were opened. */
export interface SessionPool {
  readonly pool: Pool;
  readonly session: Session;
}

/** The connections of one process, separated so that short statements never wait behind long ones. */
export interface Pools {
  /** For everything else; the planner may choose. */
  readonly main: SessionPool;
  /** For prepared reads, which requests ask for. Its planner keeps to indexes. */
  readonly reading: SessionPool;
  /** For what runs for every email. Its planner keeps to indexes. */
  readonly keyed: SessionPool;
  /** For claims. Its planner keeps to indexes and to their order. */
  readonly claiming: SessionPool;
  close(): Promise<void>;
}

/**
 * Opens the pools; they connect when they are first used. What is prepared runs on `direct`, since a prepared statement belongs
 * to its connection; without a pooler both sessions are the same.
 * @param size the connections of the main pool at most
 * @param onLost told of a connection that broke; a server that restarts ends all
 */
export function openPools(main: Session, direct: Session, size: number, onLost: (error: Error) => void): Pools {
  const open = (session: Session, config: PoolConfig): SessionPool => {
    const pool = new pg.Pool({ ...session.config, Client: session.Client, ...config });
    // Without listeners a connection that breaks, idle or taken, would end the process.
    pool.on('connect', (client) => void client.on('error', onLost));
    return { session, pool: pool.on('error', () => undefined) };
  };
  const pools = {
    main: open(main, { max: size }),
    reading: open(direct, { max: readingConnections(size), onConnect: keepToIndexes, ...REQUEST_LIMITS }),
    keyed: open(direct, { max: KEYED_CONNECTIONS, onConnect: keepToIndexes, pipeline: true }),
    claiming: open(direct, { max: claimingConnections(size), onConnect: keepTo(BY_ORDER), pipeline: true }),
  };
  return { ...pools, close: async () => void (await Promise.all(Object.values(pools).map(({ pool }) => pool.end()))) };
}
