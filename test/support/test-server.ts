import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';

/** The PostgreSQL server of a test run, and a folder for what belongs to the run. */
export interface TestServer {
  url: string;
  folder: string;
  /** False for the server at TEST_DATABASE_URL. */
  endsWithRun: boolean;
  stop(): Promise<void>;
}

/** The server at TEST_DATABASE_URL; without that, the embedded one in the folder. The folder is removed when the run ends. */
export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-test-'));
  // PostgreSQL runs as another user when this is root.
  chmodSync(folder, 0o711);
  const stopWatching = watch(folder);
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given === undefined ? await startEmbeddedPostgres(folder) : undefined;
  if (embedded !== undefined) withoutSync(join(folder, 'postgres'));
  return {
    url: embedded?.url ?? given ?? '',
    folder,
    endsWithRun: embedded !== undefined,
    async stop() {
      await embedded?.release();
      await stopWatching();
    },
  };
}

/**
 * Removes the folder, and stops the server that is left in it, when this process ends, by whatever signal: a shell of its own
 * session waits for the end of a pipe that only this process holds open. Returns how to have it done at once.
 */
function watch(folder: string): () => Promise<void> {
  const script = `
    while read -r line; do :; done
    server=$(head -n 1 "$0/postgres/postmaster.pid" 2>/dev/null) && kill -QUIT "$server" && while kill -0 "$server"; do sleep 0.1; done
    rm -rf "$0"`;
  const shell = spawn('sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  return async () => {
    const ended = once(shell, 'exit');
    shell.stdin.end();
    await ended;
  };
}

/**
 * Tests restart nothing that must survive a power cut, and are a third faster without waiting for the disk. Autovacuum would visit the
 * databases of all test files, most of which are done with.
 */
function withoutSync(cluster: string): void {
  appendFileSync(join(cluster, 'postgresql.auto.conf'), 'fsync = off\nautovacuum_naptime = 10min\n');
  const [postmaster = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  // Read again, as `pg_ctl reload` has it done; our role is no superuser.
  process.kill(Number(postmaster), 'SIGHUP');
}
