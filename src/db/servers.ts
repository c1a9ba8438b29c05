import pg, { type ClientConfig } from 'pg';
import { messageOf, OutreachError } from '../core/errors.ts';
import type { DatabaseTarget } from './database-url.ts';

/** Longest time for which one server may keep the others waiting. */
const PROBE_MILLISECONDS = 5_000;

/**
 * Returns the class whose clients connect to the server of the target that accepts writes. They look for it when the first client connects,
 * and again after a client could not connect or lost its connection, so they find a standby that was promoted. For a single server without
 * requirements, this is pg's own class.
 */
export function clientOf({ servers, needsWritable }: DatabaseTarget): typeof pg.Client {
  if (servers.length === 1 && !needsWritable) return pg.Client;
  let found: Promise<ClientConfig> | undefined;

  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#toWritable();
      if (callback === undefined) return connected;
      connected.then(() => callback(undefined as unknown as Error), callback);
    }

    async #toWritable(): Promise<pg.Client> {
      found ??= findWritable(servers);
      const searched = found;
      const forget = () => {
        if (found === searched) found = undefined;
      };
      this.once('error', forget);
      try {
        const { host, port } = await searched;
        // pg's constructor sets these two from its options, and `connect` reads them again.
        Object.assign(this, { host, port });
        return await super.connect();
      } catch (error) {
        forget();
        throw error;
      }
    }
  } as typeof pg.Client;
}

/** Finds the first server that answers and accepts writes. Probes all of them in parallel, since those that are down may stay silent. */
async function findWritable(servers: readonly ClientConfig[]): Promise<ClientConfig> {
  try {
    return await Promise.any(servers.map(probe));
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors.map(messageOf) : [messageOf(error)];
    throw new OutreachError('internal_error', `no server accepts writes: ${reasons.join('; ')}`, { cause: error });
  }
}

async function probe(server: ClientConfig): Promise<ClientConfig> {
  const client = new pg.Client({ ...server, application_name: 'outreach probe', connectionTimeoutMillis: PROBE_MILLISECONDS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('transaction_read_only')::boolean as is_read_only");
    if (rows[0].is_read_only) throw new Error('is read-only');
    return server;
  } catch (error) {
    throw new Error(`${server.host}:${server.port} ${messageOf(error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
