import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type BenchInstallation, type BenchProcess, benchInstallation, startProcess } from './installation.ts';
import type { Measurement } from './measure.ts';

const PROGRAM = fileURLToPath(new URL('../bin/run.js', import.meta.url));
const API_SERVER = fileURLToPath(new URL('api-server.ts', import.meta.url));
const STARTS = 5;

/** Process starts per second, one after the other. */
function starts(args: readonly string[], env: Record<string, string> = {}): number {
  const begun = performance.now();
  for (let start = 0; start < STARTS; start++) execFileSync(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'pipe' });
  return (STARTS * 1_000) / (performance.now() - begun);
}

/** Starts a Node that does nothing. */
const nothing = async () => starts(['-e', '0']);

interface Place extends BenchInstallation {
  server: BenchProcess;
  env: Record<string, string>;
}

/** Creates an installation with a server. */
async function place(): Promise<Place> {
  const installation = await benchInstallation({ ...(process.env.BENCH_DATABASE_URL && { serverUrl: process.env.BENCH_DATABASE_URL }) });
  const env = { OUTREACH_DATA_DIR: installation.dataDir, DATABASE_URL: installation.databaseUrl };
  const server = await startProcess(process.execPath, [API_SERVER], { ...env, OUTREACH_PORT: '0' });
  return { ...installation, server, env };
}

/** A command against a Node that does nothing. @param envOf the environment that chooses where the command works */
const commandRow = (name: string, command: readonly string[], envOf: (at: Place) => Record<string, string>): Measurement => ({
  name,
  unit: 'starts/s',
  rounds: 9,
  async prepare() {
    const at = await place();
    return {
      ours: async () => starts([PROGRAM, ...command], envOf(at)),
      ceiling: nothing,
      async close() {
        await at.server.stop();
        await at.remove();
      },
    };
  },
});

/** The overhead of the command line over a start of Node: for printing its version, and for a query to a server or to this machine. */
export const startupRows: readonly Measurement[] = [
  { name: 'start', unit: 'starts/s', prepare: async () => ({ ours: async () => starts([PROGRAM, '--version']), ceiling: nothing }) },
  commandRow('start-remote', ['campaign', 'list'], ({ server, adminKey }) => ({ OUTREACH_URL: server.said, OUTREACH_API_KEY: adminKey })),
  commandRow('start-local', ['campaign', 'list'], ({ env }) => env),
  commandRow('start-replies', ['reply', 'list'], ({ env }) => env),
  commandRow('start-report', ['report'], ({ env }) => env),
];
