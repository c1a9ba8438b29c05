import type { Client } from 'pg';

/** The role that owns the database and that the program logs in as. */
export const ROLE = 'outreach';

/** A utility statement takes no parameters, so the password is passed as a setting of the transaction. */
const MAKE_ROLE = `
  do $$ begin
    execute format('create role outreach login createdb password %L', current_setting('outreach.password'));
  end $$`;

/**
 * Replaces the first role, a superuser, by a new one with the same name and password, which the program logs in with. The new role owns the
 * database and is not a superuser. A superuser can read and write files of the server and run programs (COPY); an injected statement must
 * not be able to. The first role can't lose the attribute, so it is renamed and can no longer log in; docs/decisions explains how to act as
 * it. It owns nothing yet, because this runs before anything is installed. Runs in one transaction and is safe in several processes.
 * @param client connected as a superuser to the database `outreach`
 */
export async function endSuperuser(client: Client, password: string): Promise<void> {
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtextextended('outreach role', 0))");
  const { rows } = await client.query("select from pg_roles where rolname = 'outreach' and rolsuper");
  if (rows.length > 0) {
    // A session can't rename its own role.
    await client.query('create role outreach_renaming superuser; set local session authorization outreach_renaming');
    await client.query('alter role outreach rename to outreach_bootstrap');
    await client.query("select set_config('outreach.password', $1, true)", [password]);
    await client.query(MAKE_ROLE);
    // Bulk loads disable triggers and foreign keys, which the owner of the tables could drop in any case.
    await client.query(`
      grant pg_read_all_stats to outreach; grant set on parameter session_replication_role to outreach;
      alter database outreach owner to outreach`);
    await client.query('reset session authorization; drop role outreach_renaming; alter role outreach_bootstrap nologin password null');
  }
  await client.query('commit');
}
