import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runsHere, THIS_PROCESS } from '../core/process-identity.ts';
import { replaceFile } from '../files/replace-file.ts';

/** A running daemon, as it records itself in `<data directory>/daemon.json` for `status` and `stop`. */
export interface DaemonRecord {
  pid: number;
  /** Its identity, since its id is used again after it has ended. */
  process: string;
  /** Of the API; null with `--no-api`. */
  url: string | null;
  /** Of the metrics, with the health checks beside them; null if they are not served. */
  metrics_url: string | null;
  started_at: string;
}

const pathIn = (dataDir: string) => join(dataDir, 'daemon.json');

/** Records this process as the daemon of a data directory. */
export function writeDaemonRecord(dataDir: string, daemon: Omit<DaemonRecord, 'pid' | 'process'>): void {
  const record: DaemonRecord = { pid: process.pid, process: THIS_PROCESS, ...daemon };
  replaceFile(pathIn(dataDir), `${JSON.stringify(record)}\n`);
}

/** The daemon running on this data directory, or undefined. A record left behind by a killed daemon is ignored. */
export function runningDaemon(dataDir: string): DaemonRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as DaemonRecord;
    return runsHere(record.process) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the record of this process, unless another daemon has replaced it. */
export function removeDaemonRecord(dataDir: string): void {
  if (runningDaemon(dataDir)?.process === THIS_PROCESS) rmSync(pathIn(dataDir), { force: true });
}
