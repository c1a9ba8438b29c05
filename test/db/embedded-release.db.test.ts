import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { THIS_PROCESS } from '../../src/core/process-identity.ts';
import { openCluster } from '../../src/db/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { findRunning } from '../../src/db/embedded/running.ts';
import { afterFile } from '../support/after-file.ts';
import { waitUntil } from '../support/wait-until.ts';

// Two installations at once both ended with: initdb: removing contents of data directory "…/postgres.partial".
it('a server is made once, by one of all who need it at once, also after a process was killed while it made one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-made-'));
  chmodSync(dataDir, 0o711);
  writeFileSync(join(dataDir, 'postgres.lock'), THIS_PROCESS.replace(/:.*/, ':1:0'));
  const servers = await Promise.all([1, 2, 3].map(() => startEmbeddedPostgres(dataDir)));
  afterFile(async () => {
    await servers[0]?.release();
    rmSync(dataDir, { recursive: true, force: true });
  });
  expect(new Set(servers.map(({ url }) => url)).size).toBe(1);
  expect(servers.map(({ started }) => started).toSorted()).toEqual([false, false, true]);
  expect(readdirSync(dataDir).filter((file) => /lock|part/.test(file))).toEqual([]);
});

// A command that ran in the second after a crash of the server ended with: lock file "postmaster.pid" already exists.
it('a server that was killed is started again by one of all who need it at once, and the others wait for it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'outreach-killed-'));
  chmodSync(dataDir, 0o711);
  const folder = join(dataDir, 'postgres');
  const server = await startEmbeddedPostgres(dataDir);
  afterFile(async () => {
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
  await waitUntil('nobody answers any more', async () => (await findRunning(folder)) === undefined);
  const started = await Promise.all([1, 2, 3, 4].map(() => openCluster(dataDir, folder).ensureRunning()));
  expect(started.toSorted()).toEqual([false, false, false, true]);
});

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
