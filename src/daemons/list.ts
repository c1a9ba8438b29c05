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
  /** Time of its last heartbeat, by the clock of the database. */
  seen_at: string;
}

/** A daemon sends a heartbeat every two seconds. One that is silent for this long has ended, hangs or has lost the database. */
const SILENCE_SECONDS = 30;
const isHeard: Sql = sql`seen_at > now() - make_interval(secs => ${SILENCE_SECONDS})`;

/** Lists the running daemons, oldest first. Returns none if the database has no table for them yet. */
export async function listDaemons(db: Queryable): Promise<Daemon[]> {
  const [table] = await db.query<{ exists: boolean }>(sql`select to_regclass('daemons') is not null as exists`);
  if (table?.exists !== true) return [];
  const daemons = await db.query<Daemon>(sql`
    select worker, host, pid, version, roles, ${timestamp('started_at')} as started_at, ${timestamp('seen_at')} as seen_at
    from daemons where ${isHeard} order by daemons.started_at, worker`);
  return daemons.filter(({ worker }) => !isDeadHere(worker));
}

/**
 * Adds the public address of the newest running daemon to the settings of a command if they have none: OUTREACH_BASE_URL may be set only in the
 * environment of daemons, and emails are tracked if it is set there. The database must have the schema of this version.
 */
export async function withPublicUrl(db: Queryable, config: Config): Promise<Config> {
  if (config.publicUrl !== null) return config;
  const [daemon] = await db.query<{ base_url: string }>(
    sql`select base_url from daemons where ${isHeard} and base_url is not null order by daemons.started_at desc limit 1`,
  );
  return daemon === undefined ? config : { ...config, baseUrl: daemon.base_url, publicUrl: daemon.base_url };
}

/** Throws `conflict` while a daemon uses the database; with `elsewhere`, one on another machine. @param advice what to do; by default, stop them */
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

/** Returns the workers that are dead: their process on this machine is gone, or their daemon has been silent for too long. */
export async function deadAmong(db: Queryable, workers: readonly string[]): Promise<string[]> {
  if (workers.length === 0) return [];
  const silent = await db.query<{ worker: string }>(
    sql`select worker from daemons where worker = any(${workers}::text[]) and not ${isHeard}`,
  );
  const silentWorkers = new Set(silent.map(({ worker }) => worker));
  return workers.filter((worker) => silentWorkers.has(worker) || isDeadHere(worker));
}
