import { writeFileSync } from 'node:fs';
import { cpuOfTree } from './cpu.ts';
import { type BenchInstallation, benchInstallation, startProcess } from './installation.ts';
import type { Measurement } from './measure.ts';
import { peakOf } from './memory.ts';

/** BENCH_SYNC sets another number. */
const CONTACTS = Number(process.env.BENCH_SYNC ?? 100_000);
const BATCH_SIZE = 1_000;
/** Requests in flight, each on a connection that is kept. */
const CONCURRENCY = 8;

interface Sync {
  requests: number;
  seconds: number;
  /** The daemon's CPU microseconds per contact, and its peak memory in MB. */
  cpu: number;
  memory: number;
}

/**
 * Writes the contacts of a CRM by `POST /contacts/batch` against one by one by `POST /contacts`, each to a daemon that has just
 * started. Also shows the daemon's memory and CPU time for both.
 */
export const syncRow: Measurement = {
  name: 'sync',
  unit: 'contacts/s',
  rounds: 1,
  async prepare() {
    const installation = await benchInstallation();
    const said: string[] = [];
    const rateOf = async (name: string, size: number) => {
      const { requests, seconds, cpu, memory } = await sync(installation, name, size);
      said.push(`${name}: ${requests} requests, ${seconds.toFixed(1)} s, daemon ${cpu} CPU µs/contact, ${memory} MB at most`);
      return CONTACTS / seconds;
    };
    return {
      ours: () => rateOf('batch', BATCH_SIZE),
      ceiling: () => rateOf('single', 1),
      note: () => `${CONTACTS.toLocaleString('en')} contacts, ${CONCURRENCY} requests in flight; ${said.join('; ')}`,
      close: () => installation.remove(),
    };
  },
};

async function sync({ databaseUrl, dataDir, adminKey }: BenchInstallation, name: string, size: number): Promise<Sync> {
  const env = { DATABASE_URL: databaseUrl, OUTREACH_DATA_DIR: dataDir, OUTREACH_PORT: '0' };
  const daemon = await startProcess(process.execPath, ['bench/api-server.ts'], env);
  try {
    const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
    let next = 0;
    let requests = 0;
    const send = async () => {
      while (next < CONTACTS) {
        const contacts = Array.from({ length: Math.min(size, CONTACTS - next) }, () => contact(name, next++));
        const [path, body] = size === 1 ? ['/contacts', contacts[0]] : ['/contacts/batch', { contacts }];
        const response = await fetch(`${daemon.said}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        const text = await response.text();
        if (!response.ok) throw new Error(`${path} answered ${response.status} ${text.slice(0, 300)}`);
        requests++;
      }
    };
    const [begun, cpu] = [performance.now(), cpuOfTree(daemon.pid)];
    resetPeak(daemon.pid);
    await Promise.all(Array.from({ length: CONCURRENCY }, send));
    const seconds = (performance.now() - begun) / 1_000;
    return { requests, seconds, cpu: Math.round((cpuOfTree(daemon.pid) - cpu) / CONTACTS), memory: peakOf(daemon.pid) };
  } finally {
    await daemon.stop();
  }
}

const contact = (name: string, index: number) => ({
  email: `${name}-${index}@${(index % 5_003).toString(16)}.example`,
  name: `Ada Lovelace ${index.toString(16)}`,
  company: `Company ${index % 20_011}`,
});

/** Resets the kernel's record of the process's peak memory (proc(5), clear_refs). */
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
