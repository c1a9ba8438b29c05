import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { testInstallation } from '../support/database.ts';
import { ROOT } from '../support/docs.ts';
import { TEST_SECRET } from '../support/secret.ts';

/** Makes Node report that version: the program and npm check nothing else. */
const VERSION = `Object.defineProperties(process,{version:{value:'v20.20.2'},versions:{value:{...process.versions,node:'20.20.2'}}})`;
const OLD = ['--import', `data:text/javascript,${encodeURIComponent(VERSION)}`];
const PROGRAM = join(ROOT, 'bin/run.js');

it('an old Node runs the program in the Node of node_modules, and ends as that does', () => {
  const version = spawnSync(process.execPath, [...OLD, PROGRAM, '--version'], { encoding: 'utf8' });
  expect(version).toMatchObject({ status: 0, stderr: '' });
  expect(version.stdout).toMatch(/^outreach\/\S+ \S+ node-v24\./);
  const wrong = spawnSync(process.execPath, [...OLD, PROGRAM, 'account', 'lst'], { encoding: 'utf8' });
  expect(wrong).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/^outreach: "account lst" is not a command;.*\n$/) });
});

it('SIGTERM reaches the daemon there, which drains', async () => {
  const { dataDir, databaseUrl } = await testInstallation();
  const env = { PATH: process.env.PATH, OUTREACH_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
  const daemon = spawn(process.execPath, [...OLD, PROGRAM, 'start', '--port', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  daemon.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (!log.includes('"ready"') && `${log}${text}`.includes('"ready"')) daemon.kill('SIGTERM');
    log += text;
  });
  const status = await new Promise((resolve) => daemon.once('close', resolve));
  expect(status, log).toBe(0);
  expect(log.trim().split('\n').at(-1)).toContain('"msg":"stopped"');
});

/** The program in a checkout in which `npm ci` and the build have not run. */
function fresh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'outreach-old-node-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'bin'));
  copyFileSync(PROGRAM, join(folder, 'bin/run.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return join(folder, 'bin/run.js');
}

it('a command in a checkout that is not built, as in a second terminal while npm start compiles, says so', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fresh(), 'status'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^outreach: the program is not built yet; run: npm run build [^\n]+\n$/);
});

it('without a Node there, it says in one line what is needed', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...OLD, fresh(), 'status'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^outreach needs Node 22\.18 or newer, but this is Node 20\.20\.2; install [^\n]+\n$/);
});

it('npm exec under an old Node prints nothing but the output of the command', () => {
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  const env = { PATH: process.env.PATH, HOME: tmpdir() };
  const { stdout, stderr } = spawnSync(process.execPath, [...OLD, npm, 'exec', '--', 'outreach', '--version'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^outreach\/\S+ \S+ node-v24\.\S+\n$/);
});
