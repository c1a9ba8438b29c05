import { accessSync, constants } from 'node:fs';

/** True if this process may create and delete files in the folder, which exists. */
export function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
