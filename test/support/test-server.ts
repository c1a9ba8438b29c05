import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';

/** The PostgreSQL server of a test run, and a folder for the run's files. */
export interface TestServer {
  url: string;
  folder: string;
  /** The folder of the embedded server. */
  serverFolder: string;
  /** False for the server at TEST_DATABASE_URL. */
  endsWithRun: boolean;
  stop(): Promise<void>;
}

/** Uses the server at TEST_DATABASE_URL, or starts an embedded one. Its folder and the folder of the run are removed when the run ends. */
export async function startTestServer(): Promise<TestServer> {
  const hasRoom = hasMemoryDisk();
  const folder = emptyFolder(hasRoom && runsPrograms(MEMORY_DISK) ? MEMORY_DISK : tmpdir());
  const serverFolder = emptyFolder(hasRoom ? MEMORY_DISK : folder);
  const stopWatching = watch(folder, serverFolder);
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given === undefined ? await startEmbeddedPostgres(serverFolder) : undefined;
  if (embedded !== undefined) configure(join(serverFolder, 'postgres'));
  return {
    url: embedded?.url ?? given ?? '',
    folder,
    serverFolder,
    endsWithRun: embedded !== undefined,
    async stop() {
      await embedded?.release();
      await stopWatching();
    },
  };
}

/** A folder in memory on Linux. */
const MEMORY_DISK = '/dev/shm';
/** More than a run takes, in bytes: `npm test` takes 4 GB with its installations and packages. */
const ROOM = 10 * 2 ** 30;

/** True if the run fits into memory. Creating a database takes a hundred files, which takes a tenth of the run's time on a disk. */
function hasMemoryDisk(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM;
  } catch {
    return false;
  }
}

/** False for a disk that is mounted `noexec`, as containers mount their memory: tests run programs that they installed. */
function runsPrograms(disk: string): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return !mounts.some((line) => {
    const [, where, , options = ''] = line.split(' ');
    return where === disk && options.split(',').includes('noexec');
  });
}

/** Creates a folder that other users can enter: PostgreSQL runs as another user if this is root. */
function emptyFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'outreach-test-'));
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Removes the folders, and stops a server left in the second, when this process ends, by any signal: a shell in its own session waits for
 * the end of a pipe that only this process holds open. Returns a function that does it immediately.
 */
function watch(folder: string, serverFolder: string): () => Promise<void> {
  const script = `
    while read -r line; do :; done
    server=$(head -n 1 "$1/postgres/postmaster.pid" 2>/dev/null) && kill -QUIT "$server" && while kill -0 "$server"; do sleep 0.1; done
    rm -rf "$0" "$1"`;
  const shell = spawn('sh', ['-c', script, folder, serverFolder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  shell.unref();
  return async () => {
    const ended = once(shell, 'exit');
    shell.stdin.end();
    await ended;
  };
}

/**
 * Configures the server for tests. No test data must survive a power cut, and tests are a third faster without waiting for the disk. Full
 * pages in the log serve the same purpose: each new database begins with a checkpoint, after which every changed page would be logged in
 * full. Autovacuum would visit the databases of all test files, most of which are no longer used. Checking a password takes 2 ms of
 * processor time, and a run opens 3,500 connections; tests of passwords have their own servers.
 */
function configure(cluster: string): void {
  appendFileSync(join(cluster, 'postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\nautovacuum_naptime = 10min\n');
  const access = join(cluster, 'pg_hba.conf');
  writeFileSync(access, readFileSync(access, 'utf8').replaceAll('scram-sha-256', 'trust'));
  const [postmaster = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  // Makes the server reread its settings, as `pg_ctl reload` does; our role is not a superuser.
  process.kill(Number(postmaster), 'SIGHUP');
}
