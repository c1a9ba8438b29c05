import { setTimeout as pause } from 'node:timers/promises';
import { migrations } from '../../migrations/index.ts';
import type { App } from '../app.ts';
import { systemClock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { messageOf, OutreachError, SQLSTATE, sqlState } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { INTERNET } from '../core/network.ts';
import { systemRandom } from '../core/random.ts';
import { type ConnectionBudget, connectionBudget } from '../db/connection-budget.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/index.ts';
import { sql } from '../db/statement.ts';
import { prepareDataDir } from './data-dir.ts';
import { openOwnSecret } from './own-secret.ts';

/** An open installation. */
export interface Runtime {
  readonly app: App;
  /** The URL of the server itself, even if there is a pooler in between. */
  readonly databaseUrl: string;
  /** Connections for the job store; only for a daemon. */
  readonly jobConnections: number | undefined;
  /** Restarts the embedded server whenever it has stopped. No effect with DATABASE_URL. */
  superviseDatabase(): void;
  /** Closes the pool. With `stopDatabase` the embedded server is stopped too, unless another process uses it. */
  close(options?: { stopDatabase?: boolean }): Promise<void>;
}

export interface RuntimeOptions extends Partial<Pick<App, 'clock' | 'random' | 'log' | 'network'>> {
  poolSize?: number;
  /** Takes as many connections as the server allows, for a daemon. */
  isDaemon?: boolean;
  applicationName?: string;
  /** True for a command on an existing installation, see `startEmbeddedPostgres`. */
  isInstalled?: boolean;
  /** Called with the database before its version is queried, to run other queries at the same time. */
  onOpen?: (db: Database) => void;
}

/**
 * Opens the data directory and the database in the settings, for the daemon and for every command. Throws
 * `invalid_request` if the data directory can't be written or the secret is not the database's, `internal_error` if the database can't be reached.
 */
export async function openRuntime(config: Config, options: RuntimeOptions = {}): Promise<Runtime> {
  const log = options.log ?? createLogger(config.logLevel, undefined, config.logFormat);
  prepareDataDir(config.dataDir);
  const embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres(config.dataDir, options) : undefined;
  const url = embedded?.url ?? config.databaseUrl ?? '';
  const databaseUrl = config.databaseDirectUrl ?? url;
  const budget = options.isDaemon ? await budgetOf(config, databaseUrl) : undefined;
  const db = await connect(url, log, { ...options, ...(budget && { poolSize: budget.work }), directUrl: config.databaseDirectUrl });
  const sealer = await openOwnSecret(config, db).catch(async (error: unknown) => {
    await db.close();
    if (embedded?.started) await embedded.release();
    throw error;
  });
  const app: App = {
    config,
    db,
    sealer,
    log,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    network: options.network ?? INTERNET,
  };
  let watch: NodeJS.Timeout | undefined;
  let revived: Promise<void> | undefined;
  return {
    app,
    databaseUrl,
    jobConnections: budget?.jobs,
    superviseDatabase() {
      if (embedded === undefined) return;
      watch = setInterval(() => {
        revived ??= revive(embedded, log).finally(() => {
          revived = undefined;
        });
      }, SUPERVISION_MILLISECONDS);
    },
    async close(closing) {
      clearInterval(watch);
      // Otherwise a restart under way would start the server again after it was stopped.
      const isOver = await Promise.race([revived?.then(() => true) ?? true, pause(RESTART_MILLISECONDS, false, { ref: false })]);
      if (!isOver) log.warn('the embedded PostgreSQL is still being restarted; it may keep running');
      await db.close();
      if (!(closing?.stopDatabase ?? embedded?.started)) return;
      if ((await embedded?.release()) === false) log.warn('the embedded PostgreSQL takes long to stop; it will end on its own');
    },
  };
}

/** Throws the errors of `connect`, because this is the first connection of a daemon. */
const budgetOf = (config: Config, url: string): Promise<ConnectionBudget> =>
  connectionBudget(url, config.databaseConnections).catch((error: unknown) => {
    throw unreachable(url, error);
  });

const SUPERVISION_MILLISECONDS = 2_000;
/** A restart can take minutes; stopping the daemon should not take that long. */
const RESTART_MILLISECONDS = 5_000;

async function revive(embedded: EmbeddedPostgres, log: App['log']): Promise<void> {
  try {
    if (await embedded.revive()) log.warn('the embedded PostgreSQL had stopped and was restarted');
  } catch (error) {
    log.error({ reason: messageOf(error) }, 'the embedded PostgreSQL has stopped and could not be restarted');
  }
}

/** The oldest major version that receives security fixes and that the tests have run on. */
const OLDEST_POSTGRES = 14;

async function requireSupportedServer(db: Database): Promise<void> {
  const [row] = await db.query<{ major: number; version: string; encoding: string }>(
    sql`select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`,
  );
  if (row?.encoding !== 'UTF8') throw new Error(`it is encoded in ${row?.encoding}, which can't represent all names; UTF8 is required`);
  if ((row?.major ?? 0) < OLDEST_POSTGRES)
    throw new Error(`it is PostgreSQL ${row?.version}; version ${OLDEST_POSTGRES} or later is required`);
}

async function connect(url: string, log: App['log'], options: RuntimeOptions & { directUrl: string | undefined }): Promise<Database> {
  let db: Database | undefined;
  try {
    // Opening connects.
    db = await openDatabase(url, log, {
      migrations,
      entities: async () => (await import('./entities.ts')).entities,
      poolSize: options.poolSize,
      applicationName: options.applicationName,
      directUrl: options.directUrl,
    });
    options.onOpen?.(db);
    await requireSupportedServer(db);
    return db;
  } catch (error) {
    await db?.close();
    throw unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): OutreachError {
  const message = messageOf(error);
  const { label, database } = parseDatabaseUrl(url);
  return new OutreachError('internal_error', `the database at ${label} can't be reached (${message}); ${remedyFor(error, database)}`, {
    cause: error,
  });
}

/** Remedies for errors of PostgreSQL, by their SQLSTATE. */
const REMEDIES: Readonly<Record<string, (database: string) => string>> = {
  [SQLSTATE.invalidAuthorization]: () => 'correct the user or the password in DATABASE_URL',
  [SQLSTATE.invalidPassword]: () => 'correct the user or the password in DATABASE_URL',
  [SQLSTATE.invalidCatalogName]: (database) =>
    `create it with: createdb --encoding UTF8 --template template0 ${database}; or correct DATABASE_URL`,
  [SQLSTATE.tooManyConnections]: () => 'raise its max_connections, or stop another program that uses it',
  [SQLSTATE.cannotConnectNow]: () => 'try again in a moment',
};

/**
 * Returns the remedy for an error. PgBouncer refuses connections that set parameters: only this refusal shows that the URL is that of a
 * pooler.
 */
function remedyFor(error: unknown, database: string): string {
  const message = messageOf(error);
  if (/unsupported startup parameter/.test(message))
    return 'it is a pooler: set OUTREACH_DATABASE_DIRECT_URL to the URL of PostgreSQL itself, beside DATABASE_URL';
  if (/UTF8 is required/.test(message)) return 'create another one with: createdb --encoding UTF8 --template template0 NAME';
  return REMEDIES[sqlState(error) ?? '']?.(database) ?? 'start it or correct DATABASE_URL';
}
