import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { cliOf, processCliOf, refuse, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { dropDatabase } from '../support/drop-database.ts';

let installation: TestInstallation;
let empty: string;

beforeAll(async () => {
  installation = await testInstallation();
  empty = `${new URL(installation.databaseUrl).pathname.slice(1)}_empty`;
  await installation.app.db.pool.query(`create database ${empty}`);
});
afterAll(() => installation && dropDatabase(installation.app.db.pool, empty));

function emptyInstallation() {
  const url = new URL(installation.databaseUrl);
  url.pathname = `/${empty}`;
  return { dataDir: join(installation.dataDir, 'empty'), databaseUrl: url.href };
}

describe('outreach migrate', () => {
  it('several that install and migrate an empty database at the same time do it once: one workspace, one admin, one key', async () => {
    const cli = processCliOf(emptyInstallation());
    const runs = await Promise.all([['install'], ['install'], ['migrate'], ['install']].map((args) => succeed(cli, ...args)));
    const keys = runs.flatMap((run) => ('api_key' in run && run.api_key !== null ? [run.api_key] : []));
    expect(keys).toHaveLength(1);
    expect((await succeed(cli, 'user', 'list')).data).toHaveLength(1);
    const { executed, pending } = await succeed(cli, 'migrate', '--status');
    expect(pending).toEqual([]);
    expect(new Set(executed).size).toBe(executed.length);
  });

  it('--down takes the newest back; commands then say what to run, and migrate brings it again', async () => {
    const cli = cliOf(emptyInstallation());
    const { executed } = await succeed(cli, 'migrate', '--status');
    expect(await refuse(cli, 1, 'migrate', '--down')).toMatch(/nothing was reverted; pass --yes to agree: Revert .+ and delete its data\?/);
    expect((await succeed(cli, 'migrate', '--status')).executed).toEqual(executed);
    await succeed(cli, 'migrate', '--down', '--yes');
    expect((await succeed(cli, 'migrate', '--status')).pending).toEqual([executed.at(-1)]);
    expect(await refuse(cli, 1, 'key', 'list')).toContain(`the database needs migrations (${executed.at(-1)}); run: outreach migrate`);
    expect((await succeed(cli, 'migrate')).pending).toEqual([]);
  });

  it('a database that is newer than the program is refused by everything that would write to it; a daemon is not even listed', async () => {
    const cli = cliOf(installation);
    await installation.app.db.query(sql`
      create function refuse_daemon() returns trigger language plpgsql as 'begin raise exception $$a daemon was listed$$; end'`);
    await installation.app.db.query(
      sql`create trigger refuse_daemon before insert on daemons for each row execute function refuse_daemon()`,
    );
    await installation.app.db.query(sql`insert into mikro_orm_migrations (name, executed_at) values ('9999-from-the-future', now())`);
    for (const args of [['migrate'], ['migrate', '--down'], ['key', 'list'], ['install']])
      expect(await refuse(cli, 1, ...args)).toContain('the database is newer than this program (it has 9999-from-the-future)');
    const started = await processCliOf(installation)(['start', '--port', '0'], { env: { OUTREACH_LOG_LEVEL: 'silent' } });
    expect(started).toMatchObject({ status: 1, stdout: '' });
    expect(started.stderr).toContain('install the version that made it, or a later one');
    expect((await cli(['migrate', '--status'])).stdout).toMatch(/^unknown {2}9999-from-the-future$/m);
  });
});
