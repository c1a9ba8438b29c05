import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';

/** The PostgreSQL server of a test run, and a folder for what belongs to the run. */
export interface TestServer {
  url: string;
  folder: string;
  /** The folder of the embedded server. */
  serverFolder: string;
  /** False for the server at TEST_DATABASE_URL. */
  endsWithRun: boolean;
  stop(): Promise<void>;
}

/** The server at TEST_DATABASE_URL; without that, an embedded one. Its folder and the folder of the run are removed when the run ends. */
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

/** True where the run fits into memory. Making a database takes a hundred files, which cost the run a tenth of its time on a disk. */
function hasMemoryDisk(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM;
  } catch {
    return false;
  }
}

/** False for a disk of its own that is mounted `noexec`, as containers mount their memory: tests run programs that they installed. */
function runsPrograms(disk: string): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  return !mounts.some((line) => {
    const [, where, , options = ''] = line.split(' ');
    return where === disk && options.split(',').includes('noexec');
  });
}

/** Makes a folder that other users can enter: PostgreSQL runs as another one when this is root. */
function emptyFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'outreach-test-'));
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Removes the folders, and stops the server that is left in the second, when this process ends, by whatever signal: a shell of its own
 * session waits for the end of a pipe that only this process holds open. Returns how to have it done at once.
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
 * Tests restart nothing that must survive a power cut, and are a third faster without waiting for the disk. Whole pages in the log are for
 * that, too, and each database that is made begins with a checkpoint, after which every page that changes would be one of them. Autovacuum
 * would visit the databases of all test files, most of which are done with. To check a password takes 2 ms of the processor, and a run opens
 * 3,500 connections; tests of passwords have servers of their own.
 */
function configure(cluster: string): void {
  appendFileSync(join(cluster, 'postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\nautovacuum_naptime = 10min\n');
  const access = join(cluster, 'pg_hba.conf');
  writeFileSync(access, readFileSync(access, 'utf8').replaceAll('scram-sha-256', 'trust'));
  const [postmaster = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  // Read again, as `pg_ctl reload` has it done; our role is no superuser.
  process.kill(Number(postmaster), 'SIGHUP');
}
