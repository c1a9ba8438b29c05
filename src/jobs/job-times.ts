import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { sql } from '../db/statement.ts';

/** The table, or the collection, of the jobs. Defined here, because code that reads their times needs nothing else of the job store. */
export const COLLECTION = 'agenda_jobs';

/** When a recurring job last began, in any daemon. */
export interface JobTime {
  job: string;
  every_seconds: number;
  last_run_at: string | null;
}

interface StoredJob {
  name: string;
  /** Milliseconds. */
  repeatInterval: string | number | null;
  lastRunAt: Date | null;
}

/**
 * Reads when each recurring job last began, by name; empty before the first start of a daemon. For commands, which don't open a job store.
 */
export async function readJobTimes({ db, config }: App): Promise<JobTime[]> {
  const jobs = config.mongodbUrl === undefined ? await inPostgres(db) : await inMongo(config.mongodbUrl);
  return jobs
    .map(({ name, repeatInterval, lastRunAt }) => ({
      job: name,
      every_seconds: Number(repeatInterval) / SECOND,
      last_run_at: lastRunAt === null ? null : formatTimestamp(lastRunAt),
    }))
    .sort((one, other) => one.job.localeCompare(other.job));
}

async function inPostgres(db: App['db']): Promise<StoredJob[]> {
  const [row] = await db.query<{ exists: boolean }>(sql`select to_regclass(${COLLECTION}) is not null as exists`);
  if (!row?.exists) return [];
  return db.query<StoredJob>(
    sql`select name, repeat_interval as "repeatInterval", last_run_at as "lastRunAt" from agenda_jobs where type = 'single'`,
  );
}

async function inMongo(url: string): Promise<StoredJob[]> {
  const { openMongoStore } = await import('./mongo/index.ts');
  const { client, database } = openMongoStore(url, 'outreach status');
  try {
    return await database
      .collection(COLLECTION)
      .find({ type: 'single' })
      .map(({ name, repeatInterval, lastRunAt }) => ({ name, repeatInterval, lastRunAt: lastRunAt ?? null }))
      .toArray();
  } finally {
    await client.close();
  }
}
