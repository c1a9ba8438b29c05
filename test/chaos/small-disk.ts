import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterFile } from '../support/after-file.ts';

const CHUNK = Buffer.alloc(1024 * 1024);

/** Mounts a disk of that many megabytes in memory, below the folder. Returns its path. Only for root; unmounted by `undoAll`. */
export function smallDisk(folder: string, megabytes: number): string {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk]);
  chmodSync(disk, 0o711);
  afterFile(() => execFileSync('umount', ['--lazy', disk]));
  return disk;
}

/** Fills the disk to the last byte. Returns a function that frees the space again. */
export function fillDisk(disk: string): () => void {
  const ballast = join(disk, 'ballast');
  const file = openSync(ballast, 'w');
  try {
    for (let size = CHUNK.length; size > 0; ) {
      try {
        writeSync(file, CHUNK, 0, size);
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(ballast, { force: true });
}
