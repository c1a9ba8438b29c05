import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { findBinaries } from '../../src/db/embedded/binaries.ts';
import { Cluster } from '../../src/db/embedded/cluster.ts';
import { serverUser } from '../../src/db/embedded/server-user.ts';
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
    const { port, socketFolder } =
      new Cluster(join(dataDir, 'postgres'), findBinaries(dataDir, serverUser()), serverUser()).listening() ?? {};
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
  const clusterOf = async () => {
    const folder = join(dataDir, 'postgres');
    const user = serverUser(folder);
    return new Cluster(folder, findBinaries(dataDir, user), user);
  };

  it('ends when the server has ended, also if another command starts it again at once, or stops it as well', {
    timeout: 20_000,
  }, async () => {
    const [one, other] = [await clusterOf(), await clusterOf()];
    const isGone = () => !existsSync(join(dataDir, 'postgres', 'postmaster.pid'));
    const restarted = waitUntil('the server has stopped', isGone).then(() => other.ensureRunning());
    expect(await one.stop()).toBe(true);
    expect(await restarted).toBe(true);
    expect(await Promise.all([one.stop(), other.stop()])).toEqual([true, true]);
    expect(isGone()).toBe(true);
    await one.ensureRunning();
  });
});
