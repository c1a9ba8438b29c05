import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { runsHere, THIS_PROCESS } from '../../core/process-identity.ts';
import { draftOf } from '../../files/draft-file.ts';

const LONGEST_WAIT = 60_000;
const CHECK_MILLISECONDS = 100;

/**
 * Does `work` while no other process of this machine does any with the same lock, which is a file that names its process; the file of a process
 * that is gone counts for nothing. Waits for another one, a minute at most, and then throws.
 */
export async function inOneProcess<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  for (let waited = 0; !taken(lock); waited += CHECK_MILLISECONDS) {
    if (waited >= LONGEST_WAIT) throw new Error(`another process has had ${lock} for a minute; if none is at work, delete that file`);
    await pause(CHECK_MILLISECONDS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** True if the lock is this process's now. */
function taken(lock: string): boolean {
  const draft = draftOf(lock);
  writeFileSync(draft, THIS_PROCESS, { mode: 0o600, flag: 'wx' });
  try {
    // With its content, so that nobody takes an empty file for that of a process that is gone.
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isLeftBehind(lock)) rmSync(lock, { force: true });
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isLeftBehind(lock: string): boolean {
  try {
    return !runsHere(readFileSync(lock, 'utf8'));
  } catch {
    // It has just been given back.
    return false;
  }
}
