import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, freePort } from '../../src/db/embedded/ports.ts';
import { serverUser } from '../../src/db/embedded/server-user.ts';
import { afterFile } from './after-file.ts';
import { waitUntil } from './wait-until.ts';

const PATH = `${process.env.PATH ?? ''}:/usr/sbin`;

/** True if PgBouncer is on this machine. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0;

/**
 * Starts PgBouncer in transaction mode, with its own defaults, in front of the server of a URL. Stopped after the file.
 * @param connections those that it opens to the server
 * @returns the URL through it
 */
export async function startPgbouncer(databaseUrl: string, connections = 2): Promise<string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'outreach-pgbouncer-'));
  chmodSync(folder, 0o755);
  const own = await freePort(0);
  const server = [
    `host=${searchParams.get('host') ?? hostname}`,
    `port=${port || 5432}`,
    `user=${username}`,
    password && `password=${decodeURIComponent(password)}`,
  ];
  const lines = [
    '[databases]',
    `* = ${server.filter(Boolean).join(' ')}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { ...serverUser(), env: { PATH }, stdio: 'ignore' });
  afterFile(() => {
    child.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  });
  await waitUntil('PgBouncer listens', () => accepts(own));
  return `postgres://outreach@127.0.0.1:${own}${pathname}`;
}
