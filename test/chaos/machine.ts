import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hasDovecot } from '../support/dovecot.ts';
import { FAKETIME } from './fleet.ts';
import { hasJobServer } from './job-server.ts';
import { FAULTS, type FaultName } from './plan.ts';
import { hasSmtpSink } from './sinks.ts';

/** The capabilities of this machine for a run. */
export interface Machine {
  hasFaketime: boolean;
  /** True if root can mount a small disk for PostgreSQL to fill. */
  canMount: boolean;
  /** The faults that a run can have here. */
  faults: FaultName[];
  /** Omitted faults, with reasons. */
  skipped: string[];
}

/** The job store of the daemons. */
export type JobStoreKind = 'postgresql' | 'mongodb';

/** Checks what is installed and allowed. Throws if the requested job store is unavailable. */
export function examineMachine(jobs: JobStoreKind): Machine {
  if (jobs === 'mongodb' && !hasJobServer()) throw new Error('jobs in MongoDB need Maven and Java');
  const hasFaketime = existsSync(FAKETIME);
  const canMount = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
  const missing: [boolean, RegExp, string][] = [
    [hasFaketime, /^daemon in another time$/, 'clock jumps: faketime is not installed'],
    [canMount, /^PostgreSQL disk full$/, 'full disk: only root can mount a small one'],
    [hasDovecot, /^IMAP/, 'IMAP: Dovecot is not installed'],
    [jobs === 'mongodb', /^job server/, 'job server: jobs are in PostgreSQL (--jobs mongodb)'],
    [jobs === 'postgresql', /^job store/, 'job store: jobs are in a server of their own'],
    [hasSmtpSink, /^(?!)/, "the second sink: Postfix's smtp-sink is not installed"],
  ];
  const absent = missing.filter(([isThere]) => !isThere);
  const names = Object.keys(FAULTS) as FaultName[];
  return {
    ...{ hasFaketime, canMount, skipped: absent.map(([, , reason]) => reason) },
    faults: names.filter((name) => !absent.some(([, faults]) => faults.test(name))),
  };
}
