import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cli, cliOf, environmentOf, processCliOf } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { dropDatabase } from '../support/drop-database.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

let installation: TestInstallation;
let cli: Cli;
let folder: string;

beforeAll(async () => {
  installation = await testInstallation();
  cli = cliOf(installation);
  folder = mkdtempSync(join(tmpdir(), 'outreach-bad-input-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Expects one clear line on stderr that says what to do, the exit status, and nothing on stdout. */
async function refused(args: string[], env: Record<string, string>, status: 1 | 2, words: RegExp): Promise<void> {
  const answer = await cli(args, { env });
  expect(answer.stdout).toBe('');
  expect(answer.stderr.trimEnd()).toMatch(words);
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
    await refused(
      ['key', 'list'],
      { OUTREACH_DATA_DIR: dataDir, DATABASE_URL: '' },
      1,
      /Outreach is not installed in .*run: outreach login URL; .*run: outreach install/,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it('an unknown setting in the settings file', async () => {
    writeFileSync(join(installation.dataDir, 'outreach.toml'), 'colour = "red"\n');
    await refused(['key', 'list'], {}, 2, /unknown setting "colour"; known settings:/);
    rmSync(join(installation.dataDir, 'outreach.toml'));
  });

  it('an embedded database that does not start: in its own words, which pg_ctl leaves to the log', async () => {
    // Root's server runs as the user postgres, who must be able to enter the folder.
    chmodSync(folder, 0o711);
    const env = { OUTREACH_DATA_DIR: join(folder, 'broken'), DATABASE_URL: '' };
    // Run in a process of its own, as at a terminal, because Node's warnings are not our output.
    expect(await processCliOf(installation)(['install'], { env })).toMatchObject({ status: 0, stderr: '' });
    const pidFile = join(folder, 'broken/postgres/postmaster.pid');
    // A command stops the server only if nobody else uses it.
    if (existsSync(pidFile)) process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGINT');
    await waitUntil('the server has ended', () => !existsSync(pidFile), 60);
    appendFileSync(join(folder, 'broken/postgres/postgresql.auto.conf'), "shared_buffers = 'nonsense'\n");
    await refused(
      ['status'],
      env,
      1,
      /can't be used: configuration file \S+ contains errors \(its log is .*server\.log; to use another server, set DATABASE_URL\)/,
    );
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

  it('a port in use at the first start: the key that was made is handed over all the same, in a file that its owner alone can read', async () => {
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
    const path = join(folder, 'first', 'first-api-key');
    expect(stdout).toContain(path);
    expect(stdout + stderr).not.toContain('ork_');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const key = readFileSync(path, 'utf8').trim();
    const { data } = JSON.parse((await cli(['key', 'list', '--json'], { env })).stdout);
    expect(data).toEqual([expect.objectContaining({ prefix: key.slice(0, 8), revoked_at: null })]);
    holder.close();
    await dropDatabase(installation.app.db.pool, empty.pathname.slice(1));
  });

  // docs/smart-search.md: "put `--` before a query that begins with a minus".
  it('a query that begins with a minus is one after --, which is told', async () => {
    await refused(['contact', 'search', '-name:nobody'], {}, 2, /unknown flag -name:nobody \(put -- before an argument/);
    const { stderr } = await cli(['contact', 'search', '--', '-email:*']);
    expect(stderr).toMatch(/^No contacts in workspace ".*" match\.$/m);
  });

  it('an unknown zone', () =>
    refused(
      ['workspace', 'create', 'Nowhere', '--timezone', 'Mars/Olympus'],
      {},
      2,
      /timezone: unknown time zone "Mars\/Olympus"; use an IANA name/,
    ));

  it.each<[string, RegExp]>([
    ['acount list', /"acount list" is not a command; did you mean "outreach account list"\?$/],
    ['nonsense', /"nonsense" is not a command; see: outreach --help$/],
    ['key nonsense', /"key nonsense" is not a command; see: outreach key --help$/],
    ['key list --nonsense', /unknown flag --nonsense; see: outreach key list --help$/],
    ['key create', /missing argument NAME \(.*\); see: outreach key create --help$/],
    ['contact import', /missing argument FILE \(CSV file\); see: outreach contact import --help$/],
    ['campaign preview 1', /missing required flag --contact; see: outreach campaign preview --help$/],
    ['outbox resolve 1', /either --resend or --sent is required; see: outreach outbox resolve --help$/],
    ['outbox resolve 1 --sent --resend', /: --resend and --sent can't be combined; see: outreach outbox resolve --help$/],
    ['history --limit x', /: --limit: must be a whole number, not "x"; see: outreach history --help$/],
  ])('%s: wrong usage', (words, line) => refused(words.split(' '), {}, 2, line));

  it.each<[string, RegExp]>([
    ['account show 99', /account 99 not found; see: outreach account list$/],
    ['account show x', /account "x" not found; see: outreach account list$/],
    ['key revoke 99', /key 99 not found; see: outreach key list$/],
    ['trash restore contacts 99', /contact 99 is not in the trash; see: outreach trash list$/],
  ])('%s: what is not there, and where to find what is', (words, line) => refused(words.split(' '), {}, 1, line));

  it('a file that is not there, a directory, a full disk', async () => {
    await refused(['contact', 'import', join(folder, 'none.csv')], {}, 2, /can't be read: no such file/);
    await refused(['mail', 'classify', folder], {}, 2, /can't be read: it is a directory; name a file$/);
    await refused(['backup', folder], {}, 2, /can't be written: it is a directory; name a file$/);
    await refused(['backup', join(folder, 'none', 'x')], {}, 2, /can't be written: no such file or directory/);
    await refused(['contact', 'export', '/dev/full'], {}, 1, /can't be written: the disk is full \(ENOSPC\); free some space/);
  });

  it.runIf(existsSync('/dev/full'))('a reader that left is no fault, and says nothing; a full disk under the output is one', () => {
    const run = (script: string) => spawnSync('sh', ['-c', script, 'sh', process.execPath, PROGRAM, '--help'], { encoding: 'utf8' });
    expect(run('{ "$@"; echo "status $?" >&2; } | true')).toMatchObject({ stdout: '', stderr: 'status 0\n' });
    expect(run('"$@" > /dev/full')).toMatchObject({
      ...{ status: 1, stdout: '' },
      stderr: "outreach: the output can't be written: the disk is full (ENOSPC); free some space, or choose another path\n",
    });
  });

  it('a reader that left ends a watch of replies, quietly, with the next one that comes in', async () => {
    const enrolment = await insertEnrolment(installation.app, await insertCampaign(installation.app));
    const watch = '{ "$@"; echo "status $?" >&2; } | head -1';
    const child = spawn('sh', ['-c', watch, 'sh', process.execPath, PROGRAM, 'reply', 'watch'], { env: environmentOf(installation) });
    const [out, errors] = [text(child.stdout), text(child.stderr)];
    let hasEnded = false;
    child.once('close', () => {
      hasEnded = true;
    });
    await waitUntil('the watch has ended', async () => {
      if (!hasEnded) await insertReply(installation.app, enrolment);
      return hasEnded;
    });
    expect([(await out).split('\n').length, await errors]).toEqual([2, 'status 0\n']);
  });

  it.runIf(process.platform === 'linux')('a disk that is full when the secret is made: no half of one is left', async () => {
    const dataDir = join(folder, 'full');
    // A secret is generated only for an empty database.
    const empty = new URL(installation.databaseUrl);
    empty.pathname += '_full';
    const name = empty.pathname.slice(1);
    await installation.app.db.pool.query(`create database ${name}`);
    const env = { PATH: process.env.PATH ?? '', OUTREACH_DATA_DIR: dataDir, DATABASE_URL: empty.href };
    const install = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, PROGRAM, 'install'];
    const { status, stderr } = spawnSync('sh', install, { encoding: 'utf8', env });
    expect(stderr).toMatch(/^outreach: \S+secret\.key can't be written: it would exceed the file size limit .*\n$/);
    expect([status, readdirSync(dataDir)]).toEqual([1, []]);
    await dropDatabase(installation.app.db.pool, name);
  });
});
