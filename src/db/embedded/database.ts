import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { endSuperuser } from './role.ts';

/** Makes the `outreach` database where it is missing, and sees that our role is no superuser; several processes may try at once. */
export async function ensureDatabase(url: string): Promise<void> {
  const administration = new URL(url);
  administration.pathname = '/postgres';
  const isSuperuser = await connected(administration.href, async (client) => {
    const { rows } = await client.query<{ is_there: boolean; is_superuser: boolean }>(`
      select exists (select from pg_database where datname = 'outreach') as is_there, rolsuper as is_superuser
      from pg_roles where rolname = current_user`);
    if (rows[0]?.is_there === false) await client.query('create database outreach').catch(unlessItIsThere);
    return rows[0]?.is_superuser === true;
  });
  if (isSuperuser) await connected(url, (client) => endSuperuser(client, decodeURIComponent(administration.password)));
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // A connection that is lost fails the next query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function unlessItIsThere(error: { code?: string }): void {
  const [duplicateDatabase, uniqueViolation] = ['42P04', '23505'];
  if (error.code !== duplicateDatabase && error.code !== uniqueViolation) throw error;
}

/** Closing a pool does not wait for the server to end the processes behind its connections, and a busy machine takes a while to. */
const LEAVING_MILLISECONDS = 1_000;
const CHECK_MILLISECONDS = 20;

/** True when anybody but this call stays connected to the server, and when it can't be asked. */
export async function hasOtherClients(url: string): Promise<boolean> {
  try {
    return await connected(url, async (client) => {
      let others = await countOthers(client);
      for (let waited = 0; others > 0 && waited < LEAVING_MILLISECONDS; waited += CHECK_MILLISECONDS) {
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
