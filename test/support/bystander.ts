import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export interface Watched {
  url: string;
  pid: number;
  /** An API key. */
  key: string;
}

/** Milliseconds of requests. */
interface Times {
  median: number;
  /** The 95th percentile. */
  p95: number;
  most: number;
}

export interface Seen {
  health: Times;
  /** A request of another workspace. */
  other: Times;
  /** Requests that were not answered with 200. */
  refused: number;
  /** The most memory of the daemon itself, and with its processes, in MB. */
  megabytes: number;
  withProcesses: number;
}

/** Minimum duration in milliseconds: some attacks are over too soon to have a visible effect. */
const LEAST = 3_000;

/** Uses a daemon during some work, as an uninvolved user. */
export async function seenMeanwhile(daemon: Watched, work: () => Promise<unknown>): Promise<Seen> {
  const { url, pid, key } = daemon;
  const thread = new Worker(new URL('./bystander-thread.ts', import.meta.url), { workerData: { url, pid, key } });
  try {
    await Promise.all([work(), pause(LEAST)]);
    thread.postMessage('enough');
    const [seen] = await once(thread, 'message');
    return seen as Seen;
  } finally {
    await thread.terminate();
  }
}
