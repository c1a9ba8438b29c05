import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { runsHere, THIS_PROCESS } from '../../core/process-identity.ts';
import { takeFile } from '../../files/create-file.ts';

const LONGEST_WAIT = 60_000;
const CHECK_MILLISECONDS = 100;

/**
 * Runs `work` while no other process on this machine has the same lock, which is a file that names its process. The file of a process that
 * has ended is ignored. Waits up to a minute for the lock, and then throws.
 */
export async function inOneProcess<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  const take = () => takeFile(lock, THIS_PROCESS, (identity) => !runsHere(identity));
  for (let waited = 0; !take(); waited += CHECK_MILLISECONDS) {
    if (waited >= LONGEST_WAIT) throw new Error(`another process has held ${lock} for a minute; if no process uses it, delete that file`);
    await pause(CHECK_MILLISECONDS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}
