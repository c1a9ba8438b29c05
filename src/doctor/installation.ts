import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import { messageOf } from '../core/errors.ts';
import { secretAmong } from '../core/settings-file.ts';
import { isWritableFolder } from '../core/writable-folder.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';
import { migrationStatus, unknownSchema } from '../db/migrate.ts';
import { readServerFacts, serverLine } from '../db/server-facts.ts';
import { sql } from '../db/statement.ts';
import { createSealer } from '../secrets/seal.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const GIB = 1024 ** 3;
const MIN_FREE_BYTES = GIB;
/** Of one segment of PostgreSQL's log. */
const FULL_BYTES = 16 * 1024 ** 2;
/** Clocks may differ by this much. Leases use the clock of the database, sending windows that of this machine. */
const MAX_SKEW_SECONDS = 5;

/** Checks that the data directory exists, is writable and has free space. */
export function checkDataDir({ dataDir }: Config): Finding {
  const check = 'data directory';
  if (!existsSync(dataDir)) return fail(check, `${dataDir} does not exist; run: outreach install`);
  if (!isWritableFolder(dataDir))
    return fail(check, `${dataDir} can't be written by this user; grant it write access, or choose another with OUTREACH_DATA_DIR`);
  const { bavail, bsize } = statfsSync(dataDir);
  return checkFreeSpace(dataDir, bavail * bsize);
}

/** Checks that what is free is enough. @param bytes that a user other than root may still write */
export function checkFreeSpace(dataDir: string, bytes: number): Finding {
  const check = 'data directory';
  if (bytes < FULL_BYTES) return fail(check, `the disk of ${dataDir} is full, so nothing can be stored; free some space`);
  const free = `${(bytes / GIB).toFixed(1)} GiB free`;
  return bytes < MIN_FREE_BYTES ? warn(check, `${dataDir} has only ${free}; free some disk space`) : ok(check, `${dataDir}, ${free}`);
}

/** Checks that the secret exists, is long enough and can't be read by others. Does not create one. */
export function checkSecret(config: Config): Finding {
  const check = 'secret';
  if (config.secretKey !== undefined) return ok(check, `from OUTREACH_SECRET_KEY, key ${createSealer(config.secretKey).keyId}`);
  const path = join(config.dataDir, 'secret.key');
  if (!existsSync(path)) return fail(check, `${path} is missing; restore it from your copy, or run: outreach install`);
  if ((statSync(path).mode & 0o077) !== 0 && process.platform !== 'win32')
    return fail(check, `${path} can be read by other users; run: chmod 600 ${path}`);
  try {
    return ok(check, `${path}, key ${createSealer(readFileSync(path, 'utf8').trim()).keyId}`);
  } catch (error) {
    return fail(check, `${path}: ${messageOf(error)}; restore it from your copy`);
  }
}

/** Checks that only the owner can read a settings file with secrets in it; null without a file. */
export function checkSettingsFiles({ settingsFiles }: Config): Finding | null {
  if (settingsFiles.length === 0) return null;
  const check = 'settings file';
  for (const { path, settings } of settingsFiles) {
    const secret = secretAmong(settings);
    if (secret !== undefined && process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      return warn(check, `${path} holds a secret (${secret}) that its group or other users can read; run: chmod 600 ${path}`);
  }
  return ok(check, settingsFiles.map(({ path }) => path).join(', '));
}

/** Checks that the database responds, that its clock agrees with ours, and how it is configured and connected. */
export async function checkDatabase({ db, config, clock }: App): Promise<Finding> {
  const check = 'database';
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const facts = await readServerFacts(db);
  const skew = Math.abs(clock.now().getTime() - (row?.now.getTime() ?? 0)) / SECOND;
  if (skew > MAX_SKEW_SECONDS)
    return warn(
      check,
      `its clock differs from this machine's by ${Math.round(skew)} s; synchronise both with NTP: leases use one, sending windows the other`,
    );
  if (config.databaseUrl === undefined) return ok(check, `PostgreSQL ${facts.version}, embedded`);
  const { label, servers } = parseDatabaseUrl(config.databaseUrl);
  const server = `${serverLine(facts)}, at ${label}`;
  if (facts.has_jit)
    return warn(check, `${server}; compiling makes short statements many times slower; run: alter role ${servers[0].user} set jit = off`);
  if (facts.is_remote && facts.tls === null)
    return warn(check, `${server}; anybody on the way can read what is sent; add sslmode=verify-full to DATABASE_URL`);
  return ok(check, server);
}

/** Checks that every migration has run, and that this version knows all that have. */
export async function checkMigrations(app: App): Promise<Finding> {
  const check = 'migrations';
  const status = await migrationStatus(app);
  const { executed, pending } = status;
  if (executed.length === 0) return fail(check, 'Outreach is not installed in this database; run: outreach install');
  const problem = unknownSchema('the database', status);
  if (problem !== undefined) return fail(check, problem);
  if (pending.length > 0) return fail(check, `pending: ${pending.join(', ')}; run: outreach migrate`);
  return ok(check, `all ${executed.length} have run`);
}

/** Checks that Agenda's job store responds: MongoDB if it is configured; otherwise the database, which has its own check. */
export async function checkJobStore({ mongodbUrl }: Config): Promise<Finding> {
  const check = 'job store';
  if (mongodbUrl === undefined) return ok(check, 'in the same PostgreSQL');
  const { openMongoStore } = await import('../jobs/mongo/index.ts');
  const { client, database, label } = openMongoStore(mongodbUrl, 'outreach doctor');
  try {
    await database.command({ ping: 1 });
    return ok(check, `MongoDB at ${label}`);
  } catch (error) {
    return fail(check, `MongoDB at ${label} can't be reached (${messageOf(error)}); start it or correct MONGODB_URL`);
  } finally {
    await client.close();
  }
}

/** Checks that recipients can reach our links. */
export function checkPublicAddress({ publicUrl }: Config): Finding {
  const check = 'public address';
  if (publicUrl === null)
    return warn(check, 'not set, so opens and clicks are not tracked and recipients can unsubscribe only by email; set OUTREACH_BASE_URL');
  if (!publicUrl.startsWith('https://'))
    return warn(check, `${publicUrl} is not https, so email clients offer no one-click unsubscribe (RFC 8058); put it behind TLS`);
  return ok(check, publicUrl);
}

/**
 * Checks that the daemon of this data directory is running and ready.
 * @param url its address; null if it runs without the API, undefined if none is running
 */
export async function checkDaemon(url: string | null | undefined): Promise<Finding> {
  const check = 'daemon';
  if (url === undefined) return warn(check, 'not running on this data directory, so nothing is sent from here; run: outreach start');
  if (url === null) return ok(check, 'running without the API');
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5 * SECOND) });
    return status === 200 ? ok(check, `ready at ${url}`) : fail(check, `${url}/readyz returns ${status}; check its log`);
  } catch (error) {
    return fail(check, `running, but not responding at ${url} (${messageOf(error)}); check its log, or restart it`);
  }
}
