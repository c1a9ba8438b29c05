import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabaseOf } from '../../src/cli/open-database.ts';
import { loadConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { openCluster } from '../../src/db/embedded/cluster.ts';
import { listeningIn } from '../../src/db/embedded/running.ts';
import { sql } from '../../src/db/statement.ts';
import { install } from '../../src/main/install.ts';
import { openRuntime, type Runtime } from '../../src/main/runtime.ts';
import { backUp } from '../../src/maintenance/backup.ts';
import { restore } from '../../src/maintenance/restore.ts';
import { afterFile } from '../support/after-file.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The role of the embedded server is no superuser. */

let runtime: Runtime;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'outreach-role-'));
  // PostgreSQL runs as another user when this is root.
  chmodSync(dataDir, 0o711);
  const config = loadConfig({ dataDir, logLevel: 'silent' }, {});
  runtime = await openRuntime(config, { log: createLogger('silent'), poolSize: 4, applicationName: 'outreach test' });
  afterFile(async () => {
    await runtime.close({ stopDatabase: true });
    rmSync(dataDir, { recursive: true, force: true });
  });
  await query('create table before (name text)');
});

const query = (text: string) => runtime.app.db.pool.query(text);

describe('the role of the embedded server', () => {
  it('is no superuser, and the one that is can’t log in', async () => {
    const { rows } = await query("select rolname, rolsuper, rolcanlogin from pg_roles where rolname !~ '^pg_' order by 1");
    expect(rows).toEqual([
      { rolname: 'outreach', rolsuper: false, rolcanlogin: true },
      { rolname: 'outreach_bootstrap', rolsuper: true, rolcanlogin: false },
    ]);
  });

  it.each([
    ['runs no program', "copy before (name) from program 'id'"],
    ['reads no file of the server', "copy before (name) from '/etc/passwd'"],
    ['writes none', "copy before to '/tmp/outreach-out'"],
    ['changes no setting of the server', "alter system set archive_command = 'id'"],
    ['becomes nobody else', 'set role outreach_bootstrap'],
    ['makes no superuser', 'create role mallory superuser'],
  ])('%s', async (_, statement) => {
    await expect(query(statement)).rejects.toThrow(/permission denied|must be superuser/);
  });

  it('has the rights for all that the program does: installing, backup and restore, statistics', async () => {
    const { app } = runtime;
    await query('drop table before');
    expect((await install(app)).api_key).toMatch(/^ork_/);
    const file = join(dataDir, 'own.backup');
    const { rows } = await backUp(app, file);
    expect(await restore(app, file, { replace: true })).toMatchObject({ rows });
    await app.db.query(sql`analyze`);
  });

  it('has the password that is in the file', async () => {
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
    const { port, socketFolder } = listeningIn(join(dataDir, 'postgres')) ?? {};
    const login = async (word: string) => {
      const client = new pg.Client({
        host: socketFolder ?? '127.0.0.1',
        ...(port !== undefined && { port }),
        user: 'outreach',
        database: 'outreach',
        password: word,
      });
      await client.connect();
      await client.end();
    };
    await login(password);
    await expect(login(`${password}x`)).rejects.toThrow('password authentication failed');
  });
});

describe('stopping the embedded server', () => {
  it('ends when the server has ended, also if another command starts it again at once, or stops it as well', async () => {
    const folder = join(dataDir, 'postgres');
    const [one, other] = [openCluster(dataDir, folder), openCluster(dataDir, folder)];
    const isGone = () => !existsSync(join(folder, 'postmaster.pid'));
    const restarted = waitUntil('the server has stopped', isGone).then(() => other.ensureRunning());
    expect(await one.stop()).toBe(true);
    expect(await restarted).toBe(true);
    expect(await Promise.all([one.stop(), other.stop()])).toEqual([true, true]);
    expect(isGone()).toBe(true);
    await one.ensureRunning();
  });
});

describe('an installation that was cut off before the database was made', () => {
  it('is called not installed by a command, and is completed by the next installation', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-half-'));
    chmodSync(folder, 0o711);
    const cluster = openCluster(folder, join(folder, 'postgres'));
    afterFile(async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    await cluster.initialise('a password', join(folder, 'postgres.password'));
    await cluster.ensureRunning();
    const config = loadConfig({ dataDir: folder, logLevel: 'silent' }, {});
    await expect(openDatabaseOf(config)).rejects.toThrow('Outreach is not installed in this database; run: outreach install');
    const second = await openRuntime(config);
    expect((await install(second.app)).api_key).toMatch(/^ork_/);
    await second.close();
    const opened = await openDatabaseOf(config);
    expect((await opened.app.db.pool.query("select current_setting('is_superuser') as it")).rows).toEqual([{ it: 'off' }]);
    await opened.close();
  });
});
