import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { draftOf } from './draft-file.ts';

/**
 * Writes a file that only its owner can read, and replaces an existing one. If that is interrupted or the disk is full, the existing file
 * stays. Throws the error of the file system.
 * @param flush true to wait for the disk, so that the file is complete after a power cut; that blocks the process
 */
export function replaceFile(path: string, text: string, { flush = false } = {}): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
