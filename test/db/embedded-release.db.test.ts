import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { afterFile } from '../support/after-file.ts';

it('the embedded server stops once its last client has left, even if that takes a moment, and not before', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-release-'));
  // PostgreSQL runs as another user when this is root.
  chmodSync(dataDir, 0o711);
  afterFile(() => rmSync(dataDir, { recursive: true, force: true }));
  const isRunning = () => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));
  const server = await startEmbeddedPostgres(dataDir);
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  afterFile(async () => {
    await client.end();
    await server.release();
  });
  await client.connect();
  await server.release();
  expect(isRunning()).toBe(true);
  const left = client.query('select pg_sleep(0.1)').then(() => client.end());
  await server.release();
  await left;
  expect(isRunning()).toBe(false);
});
