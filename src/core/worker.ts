import { randomBytes } from 'node:crypto';
import { mayRun, runsHere, THIS_PROCESS } from './process-identity.ts';

/** The name of this process in the outbox, the job store and `daemons`. It marks claims, so that those of a dead process can be found. */
export const WORKER = `${THIS_PROCESS}:${randomBytes(4).toString('hex')}`;

/** The process of a worker. */
const processOf = (worker: string) => worker.split(':').slice(0, 3).join(':');

/** True if a worker runs on this machine. */
export const isOnThisMachine = (worker: string): boolean => runsHere(processOf(worker));

/**
 * True if a worker is certainly dead: it ran on this machine, and its process is gone. For workers elsewhere, only the database can tell.
 */
export const isDeadHere = (worker: string): boolean => !mayRun(processOf(worker));
