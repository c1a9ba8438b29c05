import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../../src/core/config.ts';
import { install } from '../../src/main/install.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { dropDatabase } from './drop-database.ts';
import { TEST_SECRET } from './secret.ts';
import { startTestServer, type TestServer } from './test-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's administrative URL. Every test file creates its own database there. */
    postgresUrl: string;
    /** True if the server, with everything on it, is removed when the run ends. */
    serverEndsWithRun: boolean;
    /** Name of the template: migrated, with the default workspace, one admin and one key. */
    templateDatabase: string;
    adminKey: string;
  }
}

/** Files whose tests need a database. */
const WITH_DATABASE = /\/test\/soak\/|\.(db|e2e)\.test\./;

/** Starts one PostgreSQL server and one template for the whole run, if a file needs them. */
export default async function setup({ vitest }: TestProject) {
  if (!vitest.state.getPaths().some((path) => WITH_DATABASE.test(path))) return;
  const server = await startTestServer();
  // Everything that tests leave in the temporary folder is removed after the run.
  process.env.TMPDIR = server.folder;
  // Process ids are reused, especially in containers, and a killed run leaves its template on a server that outlives it.
  const templateDatabase = `outreach_template_${process.pid}_${Date.now().toString(36)}`;
  await onServer(server, (client) => client.query(`create database ${templateDatabase}`));
  vitest.provide('adminKey', await fillTemplate(server, templateDatabase));
  vitest.provide('templateDatabase', templateDatabase);
  vitest.provide('serverEndsWithRun', server.endsWithRun);
  vitest.provide('postgresUrl', server.url);
  return async () => {
    await onServer(server, (client) => dropDatabase(client, templateDatabase));
    await server.stop();
  };
}

/** Migrates and installs as a first start does. Returns the admin's key. */
async function fillTemplate({ url, folder }: TestServer, database: string): Promise<string> {
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${database}`;
  // Not the folder of the server itself, which is an installation with an embedded database.
  const dataDir = join(folder, 'template');
  mkdirSync(dataDir);
  const settings = { dataDir, databaseUrl: databaseUrl.href, secretKey: TEST_SECRET, logLevel: 'silent' } as const;
  const runtime = await openRuntime(loadConfig(settings, {}));
  const { api_key: key } = await install(runtime.app, { adminEmail: 'admin@example.com', adminName: 'Admin' });
  await runtime.close();
  return key ?? '';
}

async function onServer({ url }: TestServer, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
