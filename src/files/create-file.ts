import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { draftOf } from './draft-file.ts';

/**
 * Creates a file that only its owner can read. It appears with its text, so that nobody finds it empty. False if there is one, which stays.
 * Throws the error of the file system.
 * @param flush true to wait for the disk, so that a power cut leaves the file whole; that blocks the process
 */
export function createFile(path: string, text: string, { flush = false } = {}): boolean {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Creates a file as `createFile` does, also in place of one that was left behind. One of the processes that do so at the same moment succeeds.
 * @param isLeftBehind judges the text of the file that is there
 */
export function takeFile(path: string, text: string, isLeftBehind: (text: string) => boolean): boolean {
  if (createFile(path, text)) return true;
  const aside = draftOf(path);
  try {
    if (!isLeftBehind(readFileSync(path, 'utf8'))) return false;
    renameSync(path, aside);
    const moved = readFileSync(aside, 'utf8');
    // Since it was read, another process has put its own there.
    if (!isLeftBehind(moved)) {
      createFile(path, moved);
      return false;
    }
  } catch (error) {
    // Gone in the meantime.
    if (codeOf(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return createFile(path, text);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
