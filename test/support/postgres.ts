import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries } from '../../src/db/embedded/binaries.ts';
import { freePort } from '../../src/db/embedded/ports.ts';
import { serverUser } from '../../src/db/embedded/server-user.ts';
import { afterFile } from './after-file.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './smtp-sink.ts';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';
const [newest] = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
      .sort((a, b) => Number(b) - Number(a))
      .filter((version) => existsSync(join(DEBIAN, version, 'bin', 'initdb')))
  : [];

/** The programs of Debian's PostgreSQL, which has JIT as every managed server has; undefined where it is not installed. */
export const debianPostgres = newest === undefined ? undefined : join(DEBIAN, newest, 'bin');

export interface OwnServer {
  port: number;
  /** Folder of its Unix-domain socket. */
  folder: string;
  /** Changes settings of the running server. */
  set(settings: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
  /** Kills the postmaster (kill -9); its children follow. */
  kill(): void;
  /** Restarts it, however it ended. Resolves when it accepts connections. Throws if it can't. */
  start(): Promise<void>;
}

/**
 * Starts a separate PostgreSQL, with a superuser `tester` whose password is `secret`, on TCP and a socket. Stopped after the file.
 * @param options.bin folder of the programs; default the embedded ones
 * @param options.tls offers TLS with the certificate of the tests, for `localhost`
 * @param options.parent folder in which the server's own is made; default: the temporary one
 * @param options.hba lines of pg_hba.conf; default: everybody by password
 */
export async function startPostgres({
  bin,
  tls = false,
  parent = tmpdir(),
  hba,
}: {
  bin?: string | undefined;
  tls?: boolean;
  parent?: string;
  hba?: string;
} = {}): Promise<OwnServer> {
  const folder = mkdtempSync(join(parent, 'outreach-postgres-'));
  const user = serverUser();
  const programs = bin ?? dirname(findBinaries(folder, user).initdb);
  const own = (path: string) => user.uid !== undefined && user.gid !== undefined && chownSync(path, user.uid, user.gid);
  const [data, password, key] = ['data', 'password', 'server.key'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(password, 'secret');
  copyFileSync(TEST_CERTIFICATE_KEY, key);
  chmodSync(key, 0o600);
  for (const path of [folder, password, key]) own(path);
  const pgCtl = (...words: string[]) => run(join(programs, 'pg_ctl'), ['--pgdata', data, ...words], { ...user, cwd: folder });
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'tester', '-A', 'scram-sha-256', '--pwfile', password, '-E', 'UTF8', '--no-sync'],
    {
      ...user,
      cwd: folder,
    },
  );
  const port = await freePort(0);
  const settings = { listen_addresses: '127.0.0.1, 127.0.0.2', port: String(port), unix_socket_directories: folder, fsync: 'off' };
  const withTls = { ssl: 'on', ssl_cert_file: TEST_CERTIFICATE, ssl_key_file: key };
  const lines = Object.entries({ ...settings, ...(tls ? withTls : {}) }).map(([name, value]) => `${name} = '${value}'`);
  appendFileSync(join(data, 'postgresql.conf'), `\n${lines.join('\n')}\n`);
  if (hba !== undefined) writeFileSync(join(data, 'pg_hba.conf'), hba);
  const start = async () => void (await pgCtl('--log', join(folder, 'log'), '--wait', 'start'));
  await start();
  afterFile(async () => {
    await pgCtl('--mode', 'immediate', 'stop').catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    port,
    folder,
    async set(changed) {
      appendFileSync(
        join(data, 'postgresql.conf'),
        Object.entries(changed)
          .map(([name, value]) => `${name} = '${value}'\n`)
          .join(''),
      );
      await pgCtl('reload');
    },
    stop: async () => void (await pgCtl('--mode', 'immediate', 'stop')),
    kill: () => void process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL'),
    start,
  };
}
