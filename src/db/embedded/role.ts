import type { Client } from 'pg';

/** Owns the database, and the program logs in as it. */
export const ROLE = 'outreach';

/** A utility statement takes no parameters, so the password comes by a setting of the transaction. */
const MAKE_ROLE = `
  do $$ begin
    execute format('create role outreach login createdb password %L', current_setting('outreach.password'));
  end $$`;

/**
 * Gives the name and password of the first role, by which the program logs in, to a new role that is no superuser and owns the
 * database. A superuser reads and writes files of the server and runs programs (COPY); an injected statement should not.
 * The first role can't lose the attribute, so it is renamed and can no longer log in; docs/decisions has how to act as it. It owns nothing
 * yet, as this runs before anything is installed. One transaction, safe in several processes.
 * @param client connected as a superuser to the database `outreach`
 */
export async function endSuperuser(client: Client, password: string): Promise<void> {
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtextextended('outreach role', 0))");
  const { rows } = await client.query("select from pg_roles where rolname = 'outreach' and rolsuper");
  if (rows.length > 0) {
    // A role can't be renamed by a session of its own.
    await client.query('create role outreach_renaming superuser; set local session authorization outreach_renaming');
    await client.query('alter role outreach rename to outreach_bootstrap');
    await client.query("select set_config('outreach.password', $1, true)", [password]);
    await client.query(MAKE_ROLE);
    // Bulk loads go without triggers and foreign keys, which the owner of the tables could drop in any case.
    await client.query(`
      grant pg_read_all_stats to outreach; grant set on parameter session_replication_role to outreach;
      alter database outreach owner to outreach`);
    await client.query('reset session authorization; drop role outreach_renaming; alter role outreach_bootstrap nologin password null');
  }
  await client.query('commit');
}
