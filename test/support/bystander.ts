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
  /** All but the slowest twentieth took less. */
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

/** Milliseconds; some attacks are over before anybody could notice. */
const LEAST = 3_000;

/** Uses a daemon during some work, as somebody who has nothing to do with that. */
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
