import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { dropDatabase } from '../support/drop-database.ts';

let installation: TestInstallation;
let dataDir: string;
/** Names of two empty databases. */
let [first, second] = ['', ''];

const databaseAt = (name: string) => Object.assign(new URL(installation.databaseUrl), { pathname: `/${name}` }).href;

beforeAll(async () => {
  installation = await testInstallation();
  dataDir = join(installation.dataDir, 'kept');
  mkdirSync(dataDir);
  [first, second] = [1, 2].map((number) => `${new URL(installation.databaseUrl).pathname.slice(1)}_${number}`) as [string, string];
  for (const name of [first, second]) await installation.app.db.pool.query(`create database ${name}`);
});
afterAll(async () => {
  for (const name of [first, second]) if (installation) await dropDatabase(installation.app.db.pool, name);
});

/** Runs the command line with only the data directory in its environment. */
const bare: Cli = (args, options = {}) =>
  cliOf({ dataDir, databaseUrl: '' })(args, { ...options, env: { OUTREACH_SECRET_KEY: '', ...options.env } });

describe('Installed with settings in the environment', () => {
  it('later commands without that environment find the same installation', async () => {
    const env = { DATABASE_URL: databaseAt(first), OUTREACH_PORT: '9123', OUTREACH_SECRET_KEY: 'k'.repeat(43) };
    const installed = await bare(['install'], { env });
    expect(installed).toMatchObject({ status: 0, stderr: '' });
    expect(installed.stdout).toContain(`Saved to ${join(dataDir, 'outreach.toml')} for later commands: database_url, port.`);
    for (const file of ['outreach.toml', 'secret.key']) expect(statSync(join(dataDir, file)).mode & 0o777, file).toBe(0o600);
    expect((await succeed(bare, 'user', 'list')).data).toHaveLength(1);
    expect(await succeed(bare, 'install')).toMatchObject({ base_url: 'http://127.0.0.1:9123', api_key: null });
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(`${'k'.repeat(43)}\n`);
  });

  it('what would install into another database is refused, and leaves it empty', async () => {
    const env = { DATABASE_URL: databaseAt(second), OUTREACH_LOG_LEVEL: 'silent' };
    for (const { status, stdout, stderr } of await Promise.all([['install'], ['migrate'], ['start']].map((args) => bare(args, { env })))) {
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        /^outreach: \S+ is installed with the database at \S+_1, but DATABASE_URL names \S+_2; if the database has moved, change database_url/,
      );
    }
    expect(await tablesIn(second)).toEqual([]);
  });
});

async function tablesIn(name: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseAt(name) });
  await client.connect();
  const { rows } = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  await client.end();
  return rows.map((row) => row.name).filter((table) => table !== 'mikro_orm_migrations');
}
