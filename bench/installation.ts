import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { Clock } from '../src/core/clock.ts';
import { loadConfig } from '../src/core/config.ts';
import { createLogger } from '../src/core/log.ts';
import { install } from '../src/main/install.ts';
import { openRuntime, type Runtime } from '../src/main/runtime.ts';
import { dropDatabase } from '../test/support/drop-database.ts';

export interface BenchInstallation extends Runtime {
  dataDir: string;
  /** Process id of the database server, whose children do the work. */
  postgresPid: number;
  adminKey: string;
  remove(): Promise<void>;
}

/**
 * Creates an installation with durable writes, as in production: with an embedded PostgreSQL, or with a new database on the server of a
 * URL. It is in a temporary directory that is deleted with it, or in a given one that is kept. `adminKey` is empty if it was already
 * installed.
 */
export async function benchInstallation(options: { clock?: Clock; dataDir?: string; serverUrl?: string } = {}): Promise<BenchInstallation> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'outreach-bench-'));
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
  const database = options.serverUrl === undefined ? undefined : await ownDatabase(options.serverUrl);
  const config = loadConfig({ dataDir, port: 0, logLevel: 'warn', ...(database && { databaseUrl: database.url }) }, {});
  const clock = options.clock === undefined ? {} : { clock: options.clock };
  const runtime = await openRuntime(config, { log: createLogger('error'), poolSize: 20, ...clock });
  const { api_key: adminKey } = await install(runtime.app);
  const postgresPid = database?.serverPid ?? Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  // The embedded server outlives its parent by design, but must be stopped after a failed measurement, too.
  const stopServer = () => void (database === undefined && process.kill(postgresPid, 'SIGINT'));
  process.once('exit', stopServer);
  return {
    ...runtime,
    dataDir,
    postgresPid,
    adminKey: adminKey ?? '',
    async remove() {
      process.off('exit', stopServer);
      await runtime.close({ stopDatabase: true });
      await database?.drop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let made = 0;

/** Creates a database on a server, and finds the server's process, which must be on this machine. */
async function ownDatabase(serverUrl: string): Promise<{ url: string; serverPid: number; drop: () => Promise<void> }> {
  const name = `outreach_bench_${process.pid}_${made++}`;
  const onServer = async <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  await onServer((client) => client.query(`create database ${name} encoding 'UTF8' template template0`));
  const checkpointer = "select pid from pg_stat_activity where backend_type = 'checkpointer'";
  const { pid } = (await onServer((client) => client.query<{ pid: number }>(checkpointer))).rows[0] ?? {};
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  // The postmaster is the parent of its checkpointer (proc(5), stat).
  const serverPid = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')[1]);
  return { url: url.href, serverPid, drop: () => onServer((client) => dropDatabase(client, name)) };
}

export interface BenchProcess {
  /** The first line of its output. */
  said: string;
  pid: number;
  stop(): Promise<void>;
}

/** Runs a program in its own process, so that neither blocks the other's event loop. Resolves when it has printed a line. */
export async function startProcess(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<BenchProcess> {
  const child: ChildProcess = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  // Also ends it after a failed measurement.
  process.once('exit', () => child.kill());
  if (child.stdout === null) throw new Error('no output to read');
  const [said] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${command} ${args.join(' ')} ended before it was ready`))),
  ])) as [string];
  return {
    said,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
