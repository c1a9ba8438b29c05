import { hostname } from 'node:os';
import { SECOND } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { conflict, messageOf } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { WORKER } from '../core/worker.ts';
import type { Database } from '../db/database.ts';
import { compareMigrations, unknownSchema } from '../db/migrate.ts';
import { type Sql, sql } from '../db/statement.ts';
import { listDaemons } from './list.ts';

interface DaemonHandle {
  /** Resolves when the daemon has to drain, with the reason for its log. */
  readonly drainAsked: Promise<string>;
  /** Removes the daemon from the list. */
  end(): Promise<void>;
}

interface WithDatabase {
  readonly config: Pick<Config, 'publicUrl'>;
  readonly db: Database;
  readonly log: Logger;
}

const HEARTBEAT_MILLISECONDS = 2 * SECOND;
/** SQL condition for rows of daemons that were killed. They are deleted when others start. */
const FORGOTTEN: Sql = sql`seen_at < now() - interval '1 day'`;

/**
 * Announces this process as a daemon in the table `daemons`, and updates its row every two seconds. The update also reads whether the daemon
 * has to drain, because a newer version is about to migrate the database or has migrated it.
 */
export async function announceDaemon({ config, db, log }: WithDatabase, version: string, roles: readonly string[]): Promise<DaemonHandle> {
  const announce = () =>
    db.query(sql`
      with forgotten as (delete from daemons where ${FORGOTTEN})
      insert into daemons (worker, host, pid, version, roles, base_url, started_at, seen_at)
      values (${WORKER}, ${hostname()}, ${process.pid}, ${version}, ${roles}::text[], ${config.publicUrl}, now(), now())
      on conflict (worker) do update set seen_at = now()`);
  await announce();
  const asked = Promise.withResolvers<string>();
  const heartbeat = async () => {
    const [row] = await db.query<{ drain_asked: boolean; executed: string[] }>(sql`
      update daemons set seen_at = now() where worker = ${WORKER}
      returning drain_asked, array(select name from mikro_orm_migrations order by id) as executed`);
    if (row === undefined) return announce();
    const schema = unknownSchema('the database', compareMigrations(db.migrations, row.executed));
    if (schema !== undefined) asked.resolve(schema);
    else if (row.drain_asked) asked.resolve('another version of Outreach is about to migrate the database');
  };
  /** The update in progress; undefined between two. Updates must not queue up while the database is down. */
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= heartbeat()
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, 'the daemon could not say that it runs'))
      .finally(() => {
        running = undefined;
      });
  }, HEARTBEAT_MILLISECONDS);
  return {
    drainAsked: asked.promise,
    async end() {
      clearInterval(timer);
      await running;
      await db.query(sql`delete from daemons where worker = ${WORKER}`);
    },
  };
}

/**
 * Requests all daemons to drain, and waits until they have ended; each finishes the emails in transmission. Throws `conflict` if one takes longer
 * than `seconds`.
 * @param wait resolves after a number of milliseconds
 * @param isPending false once another process has migrated the database: daemons that run then may stay
 */
export async function drainOthers(
  db: Database,
  seconds: number,
  wait: (milliseconds: number) => Promise<unknown>,
  isPending: () => Promise<boolean>,
): Promise<void> {
  for (let waited = 0; await isPending(); waited++) {
    const daemons = await listDaemons(db);
    if (daemons.length === 0) return;
    if (waited >= seconds)
      throw conflict(
        `${daemons.map(({ host, pid }) => `the daemon ${pid} on ${host}`).join(', ')} did not end within ${seconds} s; stop it`,
      );
    await db.query(sql`update daemons set drain_asked = true where worker = any(${daemons.map(({ worker }) => worker)}::text[])`);
    await wait(SECOND);
  }
}
