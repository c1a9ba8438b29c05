import { execFileSync } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { invalid } from '../core/errors.ts';
import { isWritableFolder } from '../core/writable-folder.ts';
import { fileProblem } from '../files/file-problem.ts';

let actsAs: string | undefined;

/** The user that this process has become, for messages; undefined if it never changed. */
export const actingUser = (): string | undefined => actsAs;

/**
 * Switches a process of root to the owner of the data directory for the rest of its life: the service could not read files that root
 * writes there, and PostgreSQL runs only for the owner of its files. Changes nothing if root owns the directory or it does not exist
 * yet. Throws `invalid_request` if another user can't write there.
 */
export function actAsOwner(dataDir: string): void {
  const owner = statIn(dataDir);
  if (owner === undefined || process.getuid === undefined || process.getuid() === owner.uid) return;
  if (process.getuid() === 0) become(owner);
  else if (!isWritableFolder(dataDir)) {
    const name = nameOf(owner.uid);
    // sudo reads a bare number as a user name; a user id needs # before it.
    const user = name === String(owner.uid) ? `'#${name}'` : name;
    throw invalid(`${dataDir} belongs to ${name}, and this user can't write there; run it as ${name}: sudo -u ${user} outreach …`);
  }
}

function statIn(dataDir: string): Stats | undefined {
  try {
    return statSync(dataDir, { throwIfNoEntry: false });
  } catch (error) {
    throw fileProblem(`the data directory ${dataDir}`, 'read', error);
  }
}

function become({ uid, gid }: { uid: number; gid: number }): void {
  const name = nameOf(uid);
  if (name === String(uid)) {
    // The machine has no entry for this user, as with a container's volume: take the group of the directory.
    process.setgroups?.([]);
    process.setgid?.(gid);
  } else {
    const group = Number(id('-g', name));
    // Documented, but missing from the types: https://nodejs.org/api/process.html#processinitgroupsuser-extragroup
    (process as typeof process & { initgroups(user: string, group: number): void }).initgroups(name, group);
    process.setgid?.(group);
  }
  process.setuid?.(uid);
  actsAs = name;
}

/** Returns the name of a user, or its id as text if it has no name. */
function nameOf(uid: number): string {
  try {
    return id('-un', String(uid));
  } catch {
    return String(uid);
  }
}

const id = (option: string, user: string) =>
  execFileSync('id', [option, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
