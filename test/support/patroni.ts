import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { accepts, freePort } from '../../src/db/embedded/ports.ts';
import { type ServerUser, serverUser } from '../../src/db/embedded/server-user.ts';
import { afterFile } from './after-file.ts';
import { debianPostgres } from './postgres.ts';
import { waitUntil } from './wait-until.ts';

const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin`;
const isInstalled = (program: string, option: string) => spawnSync(program, [option], { env: { PATH } }).status === 0;

/** Programs that the cluster needs and this machine lacks, for the message of a skipped test. */
export const missingForPatroni: readonly string[] = [
  ...(debianPostgres === undefined ? ['postgresql'] : []),
  ...(isInstalled('patroni', '--version') ? [] : ['patroni']),
  ...(isInstalled('etcd', '--version') ? [] : ['etcd-server']),
  ...(isInstalled('haproxy', '-v') ? [] : ['haproxy']),
];

export interface PatroniCluster {
  /** URL through HAProxy to the server that accepts writes, as the superuser of the tests. */
  readonly url: string;
  /** Kills the primary and the Patroni beside it (kill -9), as when its machine fails. Returns its name. */
  killPrimary(): Promise<string>;
  /** Returns the name of the server that accepts writes; undefined while there is none. */
  primary(): Promise<string | undefined>;
}

interface Node {
  name: string;
  folder: string;
  port: number;
  restPort: number;
  patroni: ChildProcess;
}

/**
 * Starts a primary and a standby under Patroni, which keeps its state in etcd, and HAProxy in front of them, on one machine. Ended
 * after the file.
 * @param settings of the cluster, as in Patroni's `bootstrap.dcs`
 * @param haproxy the section of HAProxy's configuration, with the addresses of docs/scaling.md
 */
export async function startPatroniCluster(settings: object, haproxy: string): Promise<PatroniCluster> {
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'outreach-patroni-'));
  own(user, folder);
  const etcdPort = await startEtcd(folder, user);
  const nodes = [await startNode('one', folder, user, etcdPort, settings)];
  await waitUntil('the first server is the primary', async () => (await roleOf(nodes[0] as Node)) === 'primary', 60);
  nodes.push(await startNode('two', folder, user, etcdPort, settings));
  await waitUntil('the second server is a synchronous standby', async () => (await roleOf(nodes[1] as Node)) === 'sync_standby', 60);
  const port = await startHaproxy(folder, nodes, haproxy);
  const url = `postgres://tester:secret@127.0.0.1:${port}/postgres`;
  afterFile(() => {
    for (const node of nodes) killNode(node);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  let inARow = 0;
  // Until its first checks it considers every server a primary.
  const isKnown = async () => {
    inARow = (await takesWrites(url)) ? inARow + 1 : 0;
    return inARow >= 20;
  };
  await waitUntil('HAProxy knows the primary', isKnown, 30);
  const primary = async () => {
    for (const node of nodes) if ((await roleOf(node)) === 'primary') return node;
  };
  return {
    url,
    primary: async () => (await primary())?.name,
    async killPrimary() {
      const node = await primary();
      if (node === undefined) throw new Error('no server is the primary');
      killNode(node);
      return node.name;
    },
  };
}

/** Starts a program as the user of the servers, in the folder. Killed after the file. */
function startProgram(program: string, words: readonly string[], user: ServerUser, folder: string): ChildProcess {
  const child = spawn(program, words, { ...user, cwd: folder, env: { PATH, HOME: folder }, stdio: 'ignore' });
  afterFile(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

async function startEtcd(folder: string, user: ServerUser): Promise<number> {
  const [port, peer] = [await freePort(0), await freePort(0)];
  const [client, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`];
  const urls = { 'listen-client-urls': client, 'advertise-client-urls': client, 'listen-peer-urls': peers };
  const options = {
    ...urls,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
    'data-dir': join(folder, 'etcd'),
  };
  startProgram(
    'etcd',
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    user,
    folder,
  );
  await waitUntil('etcd takes connections', () => accepts(port));
  return port;
}

async function startNode(name: string, parent: string, user: ServerUser, etcdPort: number, settings: object): Promise<Node> {
  const folder = join(parent, name);
  mkdirSync(folder);
  own(user, folder);
  const [port, restPort] = [await freePort(0), await freePort(0)];
  const file = join(folder, 'patroni.json');
  // Patroni reads YAML, and JSON is valid YAML.
  writeFileSync(file, JSON.stringify(patroniSettings({ name, folder, port, restPort, etcdPort, settings })));
  return { name, folder, port, restPort, patroni: startProgram('patroni', [file], user, folder) };
}

interface NodeSettings {
  name: string;
  folder: string;
  port: number;
  restPort: number;
  etcdPort: number;
  settings: object;
}

function patroniSettings({ name, folder, port, restPort, etcdPort, settings }: NodeSettings): object {
  const login = { username: 'tester', password: 'secret' };
  const everybody = ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5', 'local all all md5'];
  return {
    scope: 'outreach',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        ...settings,
        postgresql: { parameters: { max_connections: 200, fsync: 'off' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, data_dir: join(folder, 'data'), bin_dir: debianPostgres },
      authentication: { superuser: login, replication: login, rewind: login },
      parameters: { unix_socket_directories: folder },
      pg_hba: everybody,
    },
  };
}

/** Starts HAProxy with the addresses of these servers instead of those of the page. Returns its port. */
async function startHaproxy(folder: string, nodes: readonly Node[], section: string): Promise<number> {
  const port = await freePort(0);
  const file = join(folder, 'haproxy.cfg');
  let text = section.replace('127.0.0.1:5000', `127.0.0.1:${port}`);
  for (const [index, node] of nodes.entries())
    text = text.replace(`10.0.0.1${index + 1}:5432 check port 8008`, `127.0.0.1:${node.port} check port ${node.restPort}`);
  writeFileSync(file, text);
  startProgram('haproxy', ['-f', file, '-db'], {}, folder);
  await waitUntil('HAProxy takes connections', () => accepts(port));
  return port;
}

/** Reads the role of a running server from its Patroni: `primary`, `sync_standby`, `replica`; undefined without an answer. */
async function roleOf({ restPort }: Node): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${restPort}/patroni`, { signal: AbortSignal.timeout(2_000) });
    const { role, state, sync_standby: isSync } = (await answer.json()) as { role: string; state: string; sync_standby?: boolean };
    if (state !== 'running') return undefined;
    if (role === 'master' || role === 'primary') return 'primary';
    return isSync === true ? 'sync_standby' : role;
  } catch {
    return undefined;
  }
}

/** Kills a node: Patroni first, or it would restart its server. */
function killNode({ patroni, folder }: Node): void {
  patroni.kill('SIGKILL');
  try {
    process.kill(Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

async function takesWrites(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query('select not pg_is_in_recovery() as writes')).rows[0].writes;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function own({ uid, gid }: ServerUser, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
