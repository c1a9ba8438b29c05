import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';

let installation: TestInstallation;
let cli: Cli;
let folder: string;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
  folder = mkdtempSync(join(tmpdir(), 'outreach-bad-input-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One clear line on stderr that says what to do, the exit status, and nothing on stdout. */
async function refused(args: string[], env: Record<string, string>, status: 1 | 2, words: RegExp): Promise<void> {
  const answer = await cli(args, { env });
  expect(answer.stdout).toBe('');
  expect(answer.stderr).toMatch(words);
  expect(answer.stderr.trim().split('\n')).toHaveLength(1);
  expect(answer.status).toBe(status);
}

describe('bad input gives one clear line that says what to do, exit status 1 or 2, and leaves nothing half made', () => {
  it('a database that is down', () =>
    refused(['install'], { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, 1, /can't be reached .*correct DATABASE_URL/));

  it('a malformed URL', () => refused(['install'], { DATABASE_URL: 'nonsense' }, 2, /setting DATABASE_URL: must be a URL of the form/));

  it('a port that is none', () => refused(['start'], { OUTREACH_PORT: '99999' }, 2, /setting OUTREACH_PORT/));

  it('a data directory that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'kept');
    await refused(['install'], { OUTREACH_DATA_DIR: file }, 2, /can't be written .*choose another with OUTREACH_DATA_DIR/);
  });

  it('a data directory that the kernel makes no folder in', () =>
    refused(['install'], { OUTREACH_DATA_DIR: '/proc/outreach' }, 2, /can't be written/));

  it('a command on a data directory that was never installed makes nothing', async () => {
    const dataDir = join(folder, 'never');
    await refused(['key', 'list'], { OUTREACH_DATA_DIR: dataDir, DATABASE_URL: '' }, 1, /nothing is installed in .*run: outreach install/);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('an unknown setting in the settings file', async () => {
    writeFileSync(join(installation.dataDir, 'outreach.toml'), 'colour = "red"\n');
    await refused(['key', 'list'], {}, 2, /unknown setting "colour"; known settings:/);
    rmSync(join(installation.dataDir, 'outreach.toml'));
  });

  it('a port in use', async () => {
    const holder = createServer();
    const port = await new Promise<number>((resolve) =>
      holder.listen(0, '127.0.0.1', () => resolve((holder.address() as { port: number }).port)),
    );
    await refused(
      ['start', '--port', String(port)],
      { OUTREACH_LOG_LEVEL: 'silent' },
      2,
      /port \d+ on 127\.0\.0\.1 is in use; .*choose another with --port/,
    );
    holder.close();
  });

  it('a port in use at the first start: the key that was made is shown all the same', async () => {
    const empty = new URL(installation.databaseUrl);
    empty.pathname += '_empty';
    await installation.app.db.pool.query(`create database ${empty.pathname.slice(1)}`);
    const holder = createServer();
    const port = await new Promise<number>((resolve) =>
      holder.listen(0, '127.0.0.1', () => resolve((holder.address() as { port: number }).port)),
    );
    const env = { DATABASE_URL: empty.href, OUTREACH_DATA_DIR: join(folder, 'first'), OUTREACH_LOG_LEVEL: 'silent' };
    const { stdout, stderr, status } = await cli(['start', '--port', String(port)], { env });
    expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining('is in use'), status: 2 });
    const [, key = ''] = /^API key \(shown this once\): (\S+)$/m.exec(stdout) ?? [];
    const { data } = JSON.parse((await cli(['key', 'list', '--json'], { env })).stdout);
    expect(data).toEqual([expect.objectContaining({ prefix: key.slice(0, 8), revoked_at: null })]);
    holder.close();
    await installation.app.db.pool.query(`drop database ${empty.pathname.slice(1)} with (force)`);
  });

  it('an unknown zone', () =>
    refused(
      ['workspace', 'create', 'Nowhere', '--timezone', 'Mars/Olympus'],
      {},
      2,
      /timezone: unknown zone "Mars\/Olympus"; use an IANA name/,
    ));

  it('an unknown command, flag or missing argument', async () => {
    for (const args of [['nonsense'], ['key', 'list', '--nonsense'], ['key', 'create']]) expect((await cli(args)).status).toBe(2);
  });

  it('an old Node is told in one line, before anything is loaded', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' }); await import(${JSON.stringify(new URL('../../bin/run.js', import.meta.url).href)});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', old], { encoding: 'utf8' });
    expect(stderr).toMatch(/^outreach needs Node 22\.18 or newer and this is 20\.1\.0; install a newer one/);
    expect(status).toBe(1);
  });
});
