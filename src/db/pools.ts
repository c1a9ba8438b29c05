import pg, { type Pool, type PoolConfig } from 'pg';
import { REQUEST_TIMEOUTS, type Session } from './session.ts';

/** Connections, and how they were opened. */
export interface SessionPool {
  readonly pool: Pool;
  readonly session: Session;
  /** Maximum number of connections. */
  readonly size: number;
}

/** The connections of one process, in two pools, so that requests that read wait neither for locks nor for the program's own work. */
export interface Pools {
  /** For everything but reads of requests. */
  readonly work: SessionPool;
  /** For reads of requests outside of transactions. */
  readonly reads: SessionPool;
  close(): Promise<void>;
}

/**
 * Opens the pools; they connect when they are first used.
 * @param work through a pooler, if there is one
 * @param reads to the server itself, since prepared statements belong to a connection
 * @param size maximum connections for work; half as many are for reads
 * @param onLost called for each connection that breaks; a restart of the server breaks all of them
 */
export function openPools(work: Session, reads: Session, size: number, onLost: (error: Error) => void): Pools {
  const open = (session: Session, max: number, limits: PoolConfig = {}): SessionPool => {
    const pool = new pg.Pool({ ...session.config, Client: session.Client, max, ...limits });
    // Without listeners, a broken connection, idle or in use, would end the process.
    pool.on('connect', (client) => void client.on('error', onLost));
    return { session, size: max, pool: pool.on('error', () => undefined) };
  };
  const pools = { work: open(work, size), reads: open(reads, Math.ceil(size / 2), REQUEST_TIMEOUTS) };
  return { ...pools, close: async () => void (await Promise.all([pools.work.pool.end(), pools.reads.pool.end()])) };
}
