import pg from 'pg';

/** Makes the `outreach` database where it is missing; several processes may try at once. */
export async function ensureDatabase(url: string): Promise<void> {
  const administration = new URL(url);
  administration.pathname = '/postgres';
  const client = new pg.Client({ connectionString: administration.href });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'outreach'");
    if (rowCount === 0) await client.query('create database outreach').catch(unlessItIsThere);
  } finally {
    await client.end();
  }
}

function unlessItIsThere(error: { code?: string }): void {
  const [duplicateDatabase, uniqueViolation] = ['42P04', '23505'];
  if (error.code !== duplicateDatabase && error.code !== uniqueViolation) throw error;
}

/** True when anybody but this call is connected to the server, and when it can't be asked. */
export async function hasOtherClients(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    await client.end();
    return rows[0].others > 0;
  } catch {
    return true;
  }
}
