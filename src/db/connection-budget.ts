import { sessionOf } from './session.ts';

/** The connections that a daemon may open, by purpose. */
export interface ConnectionBudget {
  /** In the pool for work. The pool for reads has half as many. */
  work: number;
  jobs: number;
}

/** Connections that a daemon uses if the server allows it; more were no faster. */
const DEFAULT_CONNECTIONS = 40;
/** With fewer, jobs, work and reads would wait for each other. */
const MIN_CONNECTIONS = 6;
/** Left for commands, backups and other daemons' starts. */
const RESERVED_CONNECTIONS = 3;

/**
 * Reads how many connections the role, the database and the server allow, and divides a daemon's share among its pools. Work that finds no
 * free connection waits for one.
 * @param setting the configured number, if any
 */
export async function connectionBudget(url: string, setting: number | undefined): Promise<ConnectionBudget> {
  const total = setting ?? Math.max(MIN_CONNECTIONS, Math.min(DEFAULT_CONNECTIONS, (await allowedBy(url)) - RESERVED_CONNECTIONS));
  const jobs = Math.max(1, Math.min(10, Math.floor(total / 4)));
  return { work: Math.max(2, Math.floor(((total - jobs) * 2) / 3)), jobs };
}

async function allowedBy(url: string): Promise<number> {
  const { config, Client } = sessionOf(url, 'outreach start');
  const client = new Client({ ...config, types: undefined });
  await client.connect();
  try {
    const { rows } = await client.query<{ allowed: number }>(`
      select least(nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1),
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int) as allowed
      from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`);
    return rows[0]?.allowed ?? DEFAULT_CONNECTIONS;
  } finally {
    await client.end();
  }
}
