import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Finds the process that holds the connection from a local port; undefined if none of them does. Linux only. */
export function ownerOf(port: number, pids: readonly number[]): number | undefined {
  const inodes = new Set<string>();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local, , , , , , , , inode] = line.trim().split(/\s+/);
    if (Number.parseInt(local?.split(':')[1] ?? '', 16) === port && inode !== undefined) inodes.add(`socket:[${inode}]`);
  }
  return pids.find((pid) => openFiles(pid).some((file) => inodes.has(file)));
}

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  } catch {
    // The process has ended.
    return [];
  }
}

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}
