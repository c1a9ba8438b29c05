import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { draftOf } from './draft-file.ts';

/** Of file systems without hard links, such as FAT and many network shares. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Creates a file that only its owner can read. It appears with its text, so that nobody finds it empty; where there are no hard links, it is
 * empty for a moment. False if there is one, which stays. Throws the error of the file system.
 * @param flush true to wait for the disk, so that a power cut leaves the file whole; that blocks the process
 */
export function createFile(path: string, text: string, { flush = false, link = linkSync } = {}): boolean {
  const draft = draftOf(path);
  const options = { mode: 0o600, flag: 'wx', flush };
  try {
    writeFileSync(draft, text, options);
    try {
      link(draft, path);
    } catch (error) {
      if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
      writeFileSync(path, text, options);
    }
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
