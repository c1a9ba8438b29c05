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
  /** Of the database server, whose children do the work. */
  postgresPid: number;
  adminKey: string;
  remove(): Promise<void>;
}

/**
 * An installation with an embedded PostgreSQL (durable writes on, as people run it): in a temporary folder that goes with
 * it, or in a given one that stays. `adminKey` is empty where somebody installed it before.
 */
export async function benchInstallation(options: { clock?: Clock; dataDir?: string } = {}): Promise<BenchInstallation> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'outreach-bench-'));
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o711);
  const config = loadConfig({ dataDir, port: 0, logLevel: 'warn' }, {});
  const clock = options.clock === undefined ? {} : { clock: options.clock };
  const runtime = await openRuntime(config, { log: createLogger('warn'), poolSize: 20, ...clock });
  const { api_key: adminKey } = await install(runtime.app);
  // The server outlives its parent by design; a measurement that fails must not leave it behind.
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
  /** The first line that it printed. */
  said: string;
  pid: number;
  stop(): Promise<void>;
}

/** Runs a program beside this one, so that neither takes the other's event loop; ready when it has printed a line. */
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
