import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { endSuperuser } from './role.ts';

/**
 * Creates the `outreach` database if it is missing, and replaces our role if it is a superuser. Safe in several processes at the same time.
 */
export async function ensureDatabase(url: string): Promise<void> {
  const administration = new URL(url);
  administration.pathname = '/postgres';
  const isSuperuser = await connected(administration.href, async (client) => {
    const { rows } = await client.query<{ is_there: boolean; is_superuser: boolean }>(`
      select exists (select from pg_database where datname = 'outreach') as is_there, rolsuper as is_superuser
      from pg_roles where rolname = current_user`);
    if (rows[0]?.is_there === false) await client.query('create database outreach').catch(ignoreDuplicate);
    return rows[0]?.is_superuser === true;
  });
  if (isSuperuser) await connected(url, (client) => endSuperuser(client, decodeURIComponent(administration.password)));
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // If the connection is lost, the next query fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function ignoreDuplicate(error: { code?: string }): void {
  const [duplicateDatabase, uniqueViolation] = ['42P04', '23505'];
  if (error.code !== duplicateDatabase && error.code !== uniqueViolation) throw error;
}

/** Closing a pool does not wait until the server has ended the processes behind its connections, which takes a while on a busy machine. */
const DISCONNECT_MILLISECONDS = 1_000;
const CHECK_MILLISECONDS = 20;

/** True if any other client stays connected to the server, and if the query fails. */
export async function hasOtherClients(url: string): Promise<boolean> {
  try {
    return await connected(url, async (client) => {
      let others = await countOthers(client);
      for (let waited = 0; others > 0 && waited < DISCONNECT_MILLISECONDS; waited += CHECK_MILLISECONDS) {
        await pause(CHECK_MILLISECONDS);
        others = await countOthers(client);
      }
      return others > 0;
    });
  } catch {
    return true;
  }
}

async function countOthers(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return rows[0].others;
}
