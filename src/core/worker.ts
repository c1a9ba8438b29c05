import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** This process in the ledger and the job store: `host:pid:chance`. Claims carry it, so that a dead one's can be told from a live one's. */
export const WORKER = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;

/**
 * Whether a worker certainly no longer lives: it ran on this host and its process is gone, or its process id is now
 * ours. Of workers on other hosts only their leases tell.
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
