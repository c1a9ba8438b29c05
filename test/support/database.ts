import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { allowAuditChange, type Caller, operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { loadConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { seededRandom } from '../../src/core/random.ts';
import { sql } from '../../src/db/statement.ts';
import { openRuntime, type Runtime } from '../../src/main/runtime.ts';
import { afterFile } from './after-file.ts';
import { dropDatabase, endSessions } from './drop-database.ts';
import { TEST_SECRET } from './secret.ts';

/** Tuesday, in northern summer, noon UTC: inside the default windows of campaigns and accounts. */
export const TEST_START = '2026-07-07T12:00:00Z';

export interface TestInstallation {
  app: App;
  clock: ManualClock;
  databaseUrl: string;
  dataDir: string;
  /** The operator in the default workspace, whose id is 1. */
  caller: Caller;
  /** An API key of the default workspace's admin (user 1). */
  adminKey: string;
}

let kept: pg.Pool | undefined;

/** This worker's connection to the server, which stays open: PostgreSQL takes 4 ms for a new one, and each file needs it twice. */
function server(): pg.Pool {
  if (kept === undefined) {
    kept = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // The next query replaces a connection that is lost while idle. If the server is gone, that query fails.
    kept.on('error', () => undefined);
  }
  return kept;
}

let made = 0;

type Settings = NonNullable<Parameters<typeof loadConfig>[0]>;

/** Copying the files takes a third of the processor time of copying page by page through the log. PostgreSQL 14 has no strategies. */
const COPYING = 'strategy file_copy';

/**
 * Creates a fresh, migrated database with a default workspace and an admin. Returns its URL and a function that takes it down. On a server
 * that outlives the run, that drops it; on the run's own server, it only ends the sessions. When ext4 creates a file, it skips each file
 * that was deleted in the last minutes, so creating a database of a thousand files took several times as long after some drops.
 */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `outreach_test_${process.pid}_${Date.now().toString(36)}_${made++}`;
  await server().query(`create database ${name} template ${inject('templateDatabase')} ${inject('serverEndsWithRun') ? COPYING : ''}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await (inject('serverEndsWithRun') ? endSessions : dropDatabase)(server(), name)),
  };
}

/** Creates an installation for a test file: fresh database, clock stopped at TEST_START, seeded randomness. Taken down after the file. */
export async function testInstallation(given: Settings | ((databaseUrl: string) => Promise<Settings>) = {}): Promise<TestInstallation> {
  const database = await freshDatabase();
  const settings = typeof given === 'function' ? await given(database.url) : given;
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-data-'));
  const clock = new ManualClock(TEST_START);
  const config = loadConfig(
    {
      ...{ dataDir, databaseUrl: database.url, secretKey: TEST_SECRET, logLevel: 'silent', host: '127.0.0.1', port: 0 },
      // Nothing answers there: tests must not query outside name servers.
      nameServers: '127.0.0.1:1',
      ...settings,
    },
    {},
  );
  if (config.secretKey !== TEST_SECRET) await forgetSecret(database.url);
  const runtime: Runtime = await openRuntime(config, {
    clock,
    random: seededRandom(7),
    log: createLogger(process.env.TEST_LOG ?? 'silent'),
    poolSize: 10,
    applicationName: 'outreach test',
  });
  afterFile(async () => {
    await runtime.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { app: runtime.app, clock, databaseUrl: database.url, dataDir, caller: operator(1), adminKey: inject('adminKey') };
}

/** Makes the installation, which was created with the secret of the tests, accept any other. */
async function forgetSecret(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update workspaces set key_id = null');
  await client.end();
}

/** Empties the audit log, as retention does with old entries. */
export const clearAuditLog = (app: App): Promise<void> =>
  app.db.tx(async (tx) => {
    await allowAuditChange(tx, 'retention');
    await tx.query(sql`delete from audit_log`);
  });
