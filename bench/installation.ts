import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock } from '../src/core/clock.ts';
import { loadConfig } from '../src/core/config.ts';
import { createLogger } from '../src/core/log.ts';
import { install } from '../src/main/install.ts';
import { openRuntime, type Runtime } from '../src/main/runtime.ts';

export interface BenchInstallation extends Runtime {
  dataDir: string;
  /** Process id of the database server, whose children do the work. */
  postgresPid: number;
  adminKey: string;
  remove(): Promise<void>;
}

/**
 * An installation with an embedded PostgreSQL with durable writes, as in production: in a temporary directory that is deleted
 * with it, or in a given one that is kept. `adminKey` is empty if it was installed before.
 */
export async function benchInstallation(options: { clock?: Clock; dataDir?: string } = {}): Promise<BenchInstallation> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'outreach-bench-'));
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
  const config = loadConfig({ dataDir, port: 0, logLevel: 'warn' }, {});
  const clock = options.clock === undefined ? {} : { clock: options.clock };
  const runtime = await openRuntime(config, { log: createLogger('warn'), poolSize: 20, ...clock });
  const { api_key: adminKey } = await install(runtime.app);
  // The server outlives its parent by design, but must be stopped after a failed measurement too.
  const postgresPid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const stopServer = () => process.kill(postgresPid, 'SIGINT');
  process.once('exit', stopServer);
  return {
    ...runtime,
    dataDir,
    postgresPid,
    adminKey: adminKey ?? '',
    async remove() {
      process.off('exit', stopServer);
      await runtime.close({ stopDatabase: true });
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
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
