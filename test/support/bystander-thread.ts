import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Seen, Watched } from './bystander.ts';

/**
 * Runs in a separate thread, since its figures would otherwise include the test's own work. When told to end, it replies with its
 * measurements.
 */
const { url, pid, key } = workerData as Watched;
let isOver = false;
let refused = 0;
let [megabytes, withProcesses] = [0, 0];

async function ask(path: string, headers: Record<string, string>, times: number[]): Promise<void> {
  while (!isOver) {
    const begun = performance.now();
    const status = await fetch(`${url}${path}`, { headers }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status !== 200) refused++;
    times.push(performance.now() - begun);
    await pause(50);
  }
}

async function weigh(): Promise<void> {
  while (!isOver) {
    const [own = 0, ...children] = [pid, ...childrenOf(pid)].map(megabytesOf);
    megabytes = Math.max(megabytes, own);
    withProcesses = Math.max(withProcesses, own + children.reduce((sum, each) => sum + each, 0));
    await pause(250);
  }
}

/** Returns the child processes of a process, on Linux. */
const childrenOf = (parent: number): number[] => read(`/proc/${parent}/task/${parent}/children`).split(' ').filter(Boolean).map(Number);

/**
 * The proportional share: memory that several processes have in common, such as Node's code, counts once, as it does for `MemoryMax`. The
 * sum of their resident memory would count 50 MB of it for each.
 */
const megabytesOf = (process: number): number => Number(/^Pss:\s*(\d+)/m.exec(read(`/proc/${process}/smaps_rollup`))?.[1] ?? 0) / 1_024;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function figures(times: number[]): Seen['health'] {
  times.sort((a, b) => a - b);
  const at = (part: number) => Math.round(times[Math.floor((times.length - 1) * part)] ?? 0);
  return { median: at(0.5), p95: at(0.95), most: at(1) };
}

parentPort?.once('message', () => {
  isOver = true;
});
const [health, other]: [number[], number[]] = [[], []];
await Promise.all([ask('/healthz', {}, health), ask('/api/v1/contacts', { authorization: `Bearer ${key}` }, other), weigh()]);
parentPort?.postMessage({
  health: figures(health),
  other: figures(other),
  refused,
  megabytes: Math.round(megabytes),
  withProcesses: Math.round(withProcesses),
} satisfies Seen);
