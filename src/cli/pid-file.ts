import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draftOf } from '../files/draft-file.ts';

/** A running daemon, as it records itself in `<data directory>/daemon.json` for `status` and `stop`. */
export interface DaemonRecord {
  pid: number;
  url: string | null;
  started_at: string;
}

const pathIn = (dataDir: string) => join(dataDir, 'daemon.json');

export function writeDaemonRecord(dataDir: string, record: DaemonRecord): void {
  const draft = draftOf(pathIn(dataDir));
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, pathIn(dataDir));
}

/** The daemon running on this data directory, or undefined. A record left behind by a killed daemon is ignored. */
export function runningDaemon(dataDir: string): DaemonRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as DaemonRecord;
    return isOurs(record.pid) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the record, unless another daemon has replaced it. */
export function removeDaemonRecord(dataDir: string, pid: number): void {
  if (runningDaemon(dataDir)?.pid === pid) rmSync(pathIn(dataDir), { force: true });
}

/** True for a live process with that id that, as far as /proc can tell, runs this program: ids are reused. */
function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('start');
  } catch {
    return process.platform !== 'linux';
  }
}
