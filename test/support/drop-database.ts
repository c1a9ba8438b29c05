import pg from 'pg';

type Server = pg.Client | pg.Pool;

/** Ends all sessions of our role in a database. */
export const endSessions = (server: Server, name: string): Promise<unknown> =>
  server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user', [name]);

/**
 * Drops a database and the sessions in it. `with (force)` fails for a role that is not a superuser while autovacuum runs there, since its
 * workers belong to one. A plain `drop database` ends those on its own, and waits 5 s for all sessions to end.
 */
export async function dropDatabase(server: Server, name: string): Promise<void> {
  await endSessions(server, name);
  await server.query(`drop database if exists ${pg.escapeIdentifier(name)}`);
}
