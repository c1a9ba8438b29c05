import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive } from '../../core/process-alive.ts';
import { accepts } from './ports.ts';

/** Octets of a socket's path: `sun_path` has 104 on macOS and 108 on Linux, the last of them zero. */
const MAX_SOCKET_PATH = 103;

/** Where a running server can be reached. */
export interface Listening {
  /** The port on 127.0.0.1 if there is no socket; otherwise a part of the socket's name. */
  port: number;
  /** The folder of its Unix-domain socket, if it has one that we can use: a query takes less processor time than over TCP. */
  socketFolder: string | undefined;
}

/**
 * Reads where the server of a folder listens; undefined until it is ready. postmaster.pid has the port in line 4, the folder of the socket
 * in line 5, the state in line 8.
 */
export function listeningIn(folder: string): Listening | undefined {
  const lines = linesOf(folder);
  if (lines[7]?.trim() !== 'ready') return undefined;
  const [port, sockets = ''] = [Number(lines[3]), lines[4]];
  const socketFolder = sockets === '' ? undefined : resolve(folder, sockets);
  return { port, socketFolder: socketFolder !== undefined && isNameable(socketFolder, port) ? socketFolder : undefined };
}

/** True if both a URL and the address of a socket can name the folder. */
export function isNameable(folder: string, port: number): boolean {
  return Buffer.byteLength(socketIn(folder, port)) <= MAX_SOCKET_PATH && !/[%,]/.test(folder) && process.platform !== 'win32';
}

/** True if the server accepts connections. */
export function isServing({ port, socketFolder }: Listening): Promise<boolean> {
  return accepts(socketFolder === undefined ? port : socketIn(socketFolder, port));
}

/**
 * Finds the running server of a folder. After a power cut postmaster.pid is left behind: its process id may be another program's by now, and
 * so may its port.
 */
export async function findRunning(folder: string): Promise<Listening | undefined> {
  const listening = listeningIn(folder);
  return listening !== undefined && isAlive(serverPid(folder)) && (await isServing(listening)) ? listening : undefined;
}

/** Reads the process id in postmaster.pid (line 1); undefined without the file. */
export function serverPid(folder: string): number | undefined {
  const [pid] = linesOf(folder);
  return pid === undefined ? undefined : Number(pid);
}

/** The lines of postmaster.pid; none without the file. */
function linesOf(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

const socketIn = (folder: string, port: number) => join(folder, `.s.PGSQL.${port}`);
