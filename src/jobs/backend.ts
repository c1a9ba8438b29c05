import { setTimeout as wait } from 'node:timers/promises';
import { PostgresJobRepository } from '@agendajs/postgres-backend';
import type { JobRepository } from 'agenda';
import pg from 'pg';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf, OutreachError } from '../core/errors.ts';
import { sessionOf } from '../db/session.ts';
import { COLLECTION } from './job-times.ts';

/** Agenda keeps its jobs in MongoDB if `mongodbUrl` is given, otherwise in the service's own PostgreSQL. */
export interface JobStoreUrls {
  databaseUrl: string;
  mongodbUrl?: string | undefined;
  /** Maximum connections to PostgreSQL. */
  connections?: number | undefined;
}

export interface JobBackend {
  readonly repository: JobRepository;
  close(): Promise<void>;
}

/** Retry delays. Their sum is shorter than the shortest lock, so that no other daemon can take the job in that time. */
const SAVE_RETRY_SECONDS = [0.2, 0.5, 1, 2, 3, 3, 3, 3, 3];

/**
 * Opens the store and creates its table or collection. The caller must hold the registration lock, because the backend's DDL fails if two
 * daemons run it concurrently. Throws `internal_error`, naming the setting, if the store is unreachable.
 */
export async function openBackend(app: App, { databaseUrl, mongodbUrl, connections = 10 }: JobStoreUrls): Promise<JobBackend> {
  return mongodbUrl === undefined ? openPostgres(app, databaseUrl, connections) : openMongo(mongodbUrl);
}

/**
 * Opens PostgreSQL with our own pool: Agenda's has no error listener, so a restart of PostgreSQL would end the process. Agenda's
 * LISTEN/NOTIFY channel is not used: it occupies a connection and sends several notifications per job, to save at most the second until the
 * next scan.
 */
async function openPostgres(app: App, url: string, max: number): Promise<JobBackend> {
  const { config, Client, target } = sessionOf(url, 'outreach jobs');
  // The backend expects pg's default types.
  const pool = new pg.Pool({ ...config, Client, types: undefined, max, statement_timeout: 10 * SECOND });
  const onLoss = (error: Error) => app.log.debug({ error: messageOf(error) }, 'job store connection lost');
  pool.on('error', onLoss);
  pool.on('connect', (client) => client.on('error', onLoss));
  try {
    const repository = new PostgresJobRepository({ pool, tableName: COLLECTION });
    await repository.connect();
    await pool.query(`create unique index if not exists ${COLLECTION}_account on ${COLLECTION} (name, (data ->> 'accountId'))`);
    return { repository: retrying(repository), close: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw unreachable(target.label, 'DATABASE_URL', error);
  }
}

async function openMongo(url: string): Promise<JobBackend> {
  // Loaded only here: the driver has 160 modules, which most installations never need.
  const [{ MongoJobRepository }, { openMongoStore }] = await Promise.all([import('@agendajs/mongo-backend'), import('./mongo/index.ts')]);
  const { client, database, label } = openMongoStore(url, 'outreach jobs');
  try {
    await client.connect();
    const repository = new MongoJobRepository({ mongo: database, db: { collection: COLLECTION } });
    await repository.connect();
    // Recurring jobs have no account, so the same index keeps them unique by name.
    await database.collection(COLLECTION).createIndex({ name: 1, 'data.accountId': 1 }, { unique: true });
    return { repository: retrying(repository), close: () => client.close() };
  } catch (error) {
    await client.close();
    throw unreachable(label, 'MONGODB_URL', error);
  }
}

function unreachable(server: string, setting: string, cause: unknown): OutreachError {
  return new OutreachError(
    'internal_error',
    `the job store at ${server} can't be used (${messageOf(cause)}); start it or correct ${setting}`,
    { cause },
  );
}

/** True for the error that the job already exists: unique_violation 23505 in PostgreSQL, 11000 in MongoDB. */
export function isDuplicate(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === '23505' || code === 11_000;
}

/** Retries saving a job's state through a short outage; otherwise a finished job stays locked until its lock expires. */
function retrying(repository: JobRepository): JobRepository {
  const saveJobState: JobRepository['saveJobState'] = async (job, options) => {
    for (const seconds of SAVE_RETRY_SECONDS) {
      try {
        return await repository.saveJobState(job, options);
      } catch (error) {
        const isGone = await repository.getJobById(String(job._id)).then(
          (present) => present === null,
          () => false,
        );
        if (isGone) throw error;
        await wait(seconds * SECOND);
      }
    }
    return repository.saveJobState(job, options);
  };
  return new Proxy(repository, {
    get(target, name) {
      if (name === 'saveJobState') return saveJobState;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
