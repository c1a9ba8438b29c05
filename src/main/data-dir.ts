import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { invalid, messageOf } from '../core/errors.ts';

/** Creates the data directory, which only its owner can list. Throws `invalid_request` if it can't be written. */
export function prepareDataDir(dataDir: string): void {
  try {
    createDirectory(dataDir);
    // A unique name: commands that start at the same time must not remove each other's.
    rmdirSync(mkdtempSync(join(dataDir, '.write-probe-')));
  } catch (error) {
    throw invalid(
      `the data directory ${dataDir} can't be written (${messageOf(error)}); choose another with OUTREACH_DATA_DIR, or grant this user write access`,
    );
  }
}

/** Creates a directory level by level: Node's recursive mkdir never returns where the kernel allows no directories, such as /proc. */
function createDirectory(path: string): void {
  if (existsSync(path)) return;
  createDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o711 });
  } catch (error) {
    // Another command has created it in the meantime.
    if (!existsSync(path)) throw error;
  }
}
