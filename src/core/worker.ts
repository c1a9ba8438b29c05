import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** The name of this process in the outbox and the job store, `host:pid:random`. It marks claims, so that those of a dead process can be found. */
export const WORKER = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;

/**
 * True if a worker is certainly dead: it ran on this host and its process is gone, or its process id is now ours. For
 * workers on other hosts only the lease can tell.
 */
export function isDeadHere(worker: string): boolean {
  const [host, pid] = worker.split(':');
  if (host !== hostname() || worker === WORKER) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
