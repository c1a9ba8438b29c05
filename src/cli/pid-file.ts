import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../core/errors.ts';
import { runsHere, THIS_PROCESS } from '../core/process-identity.ts';
import { takeFile } from '../files/create-file.ts';
import { fileProblem } from '../files/file-problem.ts';

/** A running daemon, as it records itself in `<data directory>/daemon.json` for `status` and `stop`. */
export interface DaemonRecord {
  pid: number;
  /** Identifies the process: the system reuses a process id after the process has ended. */
  process: string;
  /** URL of the API; null with `--no-api`. */
  url: string | null;
  /** URL of the metrics and health checks; null if they are not served. */
  metrics_url: string | null;
  started_at: string;
}

const pathIn = (dataDir: string) => join(dataDir, 'daemon.json');

/** Throws `conflict` if a daemon runs on this data directory, and says which. */
export function refuseSecondDaemon(dataDir: string): void {
  const present = runningDaemon(dataDir);
  if (present !== undefined)
    throw conflict(`a daemon (process ${present.pid}) is already running on ${dataDir}; to stop it, run: outreach stop`);
}

/** Records this process as the daemon of a data directory. Throws as `refuseSecondDaemon` does: of two started at the same time, one is recorded. */
export function recordDaemon(dataDir: string, daemon: Omit<DaemonRecord, 'pid' | 'process'>): void {
  const path = pathIn(dataDir);
  const record: DaemonRecord = { pid: process.pid, process: THIS_PROCESS, ...daemon };
  while (!take(path, `${JSON.stringify(record)}\n`)) refuseSecondDaemon(dataDir);
}

function take(path: string, text: string): boolean {
  try {
    return takeFile(path, text, (present) => runningIn(present) === undefined);
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
}

/** The daemon running on this data directory, or undefined. A record left behind by a killed daemon is ignored. */
export function runningDaemon(dataDir: string): DaemonRecord | undefined {
  try {
    return runningIn(readFileSync(pathIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

function runningIn(text: string): DaemonRecord | undefined {
  try {
    const record = JSON.parse(text) as DaemonRecord;
    return runsHere(record.process) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the record of this process. */
export function removeDaemonRecord(dataDir: string): void {
  if (runningDaemon(dataDir)?.process === THIS_PROCESS) rmSync(pathIn(dataDir), { force: true });
}
