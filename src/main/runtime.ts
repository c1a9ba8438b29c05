import { Migrator } from '@mikro-orm/migrations';
import { migrations } from '../../migrations/index.ts';
import type { App } from '../app.ts';
import { systemClock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { messageOf, OutreachError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { systemRandom } from '../core/random.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/index.ts';
import { sql } from '../db/statement.ts';
import { openSealer } from '../secrets/secret-file.ts';
import { entities } from './entities.ts';
import { prepareDataDir } from './install.ts';

/** An open installation. */
export interface Runtime {
  readonly app: App;
  readonly databaseUrl: string;
  /** Restarts the embedded server whenever it has stopped. No effect with DATABASE_URL. */
  superviseDatabase(): void;
  /** Closes the pool. With `stopDatabase` the embedded server is stopped too, unless another process uses it. */
  close(options?: { stopDatabase?: boolean }): Promise<void>;
}

export interface RuntimeOptions extends Partial<Pick<App, 'clock' | 'random' | 'log'>> {
  poolSize?: number;
  applicationName?: string;
}

/**
 * Opens the data directory and the database in the settings, for the daemon and for every command. Throws
 * `invalid_request` if the data directory can't be written, `internal_error` if the database can't be reached.
 */
export async function openRuntime(config: Config, options: RuntimeOptions = {}): Promise<Runtime> {
  const log = options.log ?? createLogger(config.logLevel);
  prepareDataDir(config.dataDir);
  const sealer = openSealer(config);
  const embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres(config.dataDir) : undefined;
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? '';
  const db = await connect(databaseUrl, log, options);
  const app: App = {
    config,
    db,
    sealer,
    log,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
  };
  let watch: NodeJS.Timeout | undefined;
  return {
    app,
    databaseUrl,
    superviseDatabase() {
      if (embedded !== undefined) watch = setInterval(() => void revive(embedded, log), SUPERVISION_MILLISECONDS);
    },
    async close(closing) {
      clearInterval(watch);
      await db.close();
      if (closing?.stopDatabase ?? embedded?.started) await embedded?.release();
    },
  };
}

const SUPERVISION_MILLISECONDS = 2_000;

async function revive(embedded: EmbeddedPostgres, log: App['log']): Promise<void> {
  try {
    if (await embedded.revive()) log.warn('the embedded PostgreSQL had stopped and was restarted');
  } catch (error) {
    log.error({ reason: messageOf(error) }, 'the embedded PostgreSQL has stopped and could not be restarted');
  }
}

async function connect(url: string, log: App['log'], options: RuntimeOptions): Promise<Database> {
  let db: Database | undefined;
  try {
    // Opening connects.
    db = await openDatabase(url, log, {
      entities,
      migrations: { migrationsList: migrations, snapshot: false },
      extensions: [Migrator],
      poolSize: options.poolSize,
      applicationName: options.applicationName,
    });
    await db.query(sql`select 1`);
    return db;
  } catch (error) {
    await db?.close();
    const { host, pathname } = new URL(url);
    throw new OutreachError(
      'internal_error',
      `the database ${pathname.slice(1)} at ${host} can't be reached (${messageOf(error)}); start it or correct DATABASE_URL`,
      { cause: error },
    );
  }
}
