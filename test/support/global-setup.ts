import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../../src/core/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { install } from '../../src/main/install.ts';
import { openRuntime } from '../../src/main/runtime.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's administrative URL; every test file makes a database of its own on it. */
    postgresUrl: string;
    /** Name of the template: migrated, with the default workspace, one admin and one key. */
    templateDatabase: string;
    adminKey: string;
  }
}

export const TEST_SECRET = 'dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQ';

/** One PostgreSQL server for the whole run: the embedded one in a throw-away folder, or TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-test-'));
  chmodSync(folder, 0o711);
  const embedded = process.env.TEST_DATABASE_URL === undefined ? await startEmbeddedPostgres(folder) : undefined;
  const postgresUrl = embedded?.url ?? process.env.TEST_DATABASE_URL ?? '';
  const templateDatabase = `outreach_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  // Tests restart nothing that must survive a power cut, and are a third faster without waiting for the disk.
  if (embedded !== undefined) {
    await admin.query('alter system set fsync = off');
    await admin.query('select pg_reload_conf()');
  }
  await admin.query(`create database ${templateDatabase}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${templateDatabase}`;
  const runtime = await openRuntime(loadConfig({ dataDir: folder, databaseUrl: url.href, secretKey: TEST_SECRET, logLevel: 'silent' }, {}));
  const { api_key: adminKey } = await install(runtime.app, { adminEmail: 'admin@example.com', adminName: 'Admin' });
  await runtime.close();
  project.provide('postgresUrl', postgresUrl);
  project.provide('templateDatabase', templateDatabase);
  project.provide('adminKey', adminKey ?? '');

  return async () => {
    if (embedded === undefined) await admin.query(`drop database if exists ${templateDatabase} with (force)`);
    await admin.end();
    await embedded?.release();
    rmSync(folder, { recursive: true, force: true });
  };
}
