import type { Config } from '../core/config.ts';
import { conflict } from '../core/errors.ts';
import { isDeadHere, isOnThisMachine } from '../core/worker.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** A daemon that uses the database, as it announced itself. */
export interface Daemon {
  worker: string;
  host: string;
  pid: number;
  version: string;
  /** Its parts: `api`, `worker`. */
  roles: string[];
  started_at: string;
  /** When it was last heard of, by the clock of the database. */
  seen_at: string;
}

/** A daemon reports every two seconds. One that is silent for this long has ended, hangs or has lost the database. */
const SILENCE_SECONDS = 30;
const isHeard: Sql = sql`seen_at > now() - make_interval(secs => ${SILENCE_SECONDS})`;

/** Lists the daemons that run now, the oldest first. None before the database has their table. */
export async function listDaemons(db: Queryable): Promise<Daemon[]> {
  const [table] = await db.query<{ exists: boolean }>(sql`select to_regclass('daemons') is not null as exists`);
  if (table?.exists !== true) return [];
  const daemons = await db.query<Daemon>(sql`
    select worker, host, pid, version, roles, ${timestamp('started_at')} as started_at, ${timestamp('seen_at')} as seen_at
    from daemons where ${isHeard} order by daemons.started_at, worker`);
  return daemons.filter(({ worker }) => !isDeadHere(worker));
}

/**
 * The settings of a command, with the public address of the newest daemon that runs where they have none: OUTREACH_BASE_URL may be set in the
 * environment of daemons alone, and what they track is tracked. The database must have the schema of this version.
 */
export async function withPublicUrl(db: Queryable, config: Config): Promise<Config> {
  if (config.publicUrl !== null) return config;
  const [daemon] = await db.query<{ base_url: string }>(
    sql`select base_url from daemons where ${isHeard} and base_url is not null order by daemons.started_at desc limit 1`,
  );
  return daemon === undefined ? config : { ...config, baseUrl: daemon.base_url, publicUrl: daemon.base_url };
}

/** Throws `conflict` while a daemon uses the database, or one on another machine. @param advice what to do about it; by default to stop them */
export async function refuseDaemons(db: Queryable, advice?: string, where: 'anywhere' | 'elsewhere' = 'anywhere'): Promise<void> {
  const daemons = (await listDaemons(db)).filter(({ worker }) => where === 'anywhere' || !isOnThisMachine(worker));
  if (daemons.length === 0) return;
  const names = daemons.map(({ host, pid, version }) => `process ${pid} on ${host}, version ${version}`);
  const [are, stop] =
    names.length === 1
      ? ['a daemon is', 'stop it first, with: outreach stop']
      : ['daemons are', 'stop them first, on each machine, with: outreach stop'];
  throw conflict(`${are} using this database (${names.join('; ')}); ${advice ?? stop}`);
}

/** Those of the workers that are dead: their process on this machine is gone, or a daemon that has fallen silent. */
export async function deadAmong(db: Queryable, workers: readonly string[]): Promise<string[]> {
  if (workers.length === 0) return [];
  const silent = await db.query<{ worker: string }>(
    sql`select worker from daemons where worker = any(${workers}::text[]) and not ${isHeard}`,
  );
  const silentWorkers = new Set(silent.map(({ worker }) => worker));
  return workers.filter((worker) => silentWorkers.has(worker) || isDeadHere(worker));
}
