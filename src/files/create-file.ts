import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { draftOf } from './draft-file.ts';

/** Error codes of file systems without hard links, such as FAT and many network shares. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Creates a file that only its owner can read. The file appears with its text, so that no other process finds it empty; on file systems
 * without hard links, it is empty for a moment. Returns false if the file exists, and leaves it unchanged. Throws the error of the file
 * system.
 * @param flush true to wait for the disk, so that the file is complete after a power cut; that blocks the process
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
 * Creates a file as `createFile` does, and also replaces one that was left behind. If several processes do so at the same moment, one of
 * them succeeds.
 * @param isLeftBehind decides by the text of the existing file
 */
export function takeFile(path: string, text: string, isLeftBehind: (text: string) => boolean): boolean {
  if (createFile(path, text)) return true;
  const displaced = draftOf(path);
  try {
    if (!isLeftBehind(readFileSync(path, 'utf8'))) return false;
    renameSync(path, displaced);
    const moved = readFileSync(displaced, 'utf8');
    // Another process has put its own file there since the text was read.
    if (!isLeftBehind(moved)) {
      createFile(path, moved);
      return false;
    }
  } catch (error) {
    // The file was removed in the meantime.
    if (codeOf(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(displaced, { force: true });
  }
  return createFile(path, text);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
