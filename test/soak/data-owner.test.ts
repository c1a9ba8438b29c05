import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** Users that every Linux has: one for the service, and a stranger to it. */
const [SERVICE, STRANGER] = [2, 65_534];

let dataDir: string;
/** A home folder as root's is: nobody else may look into it. */
let home: string;

interface Answer {
  status: number | null;
  output: string;
}

function start(args: readonly string[], options: SpawnOptions = {}) {
  const env = { PATH: process.env.PATH, OUTREACH_DATA_DIR: dataDir, OUTREACH_PORT: '0', HOME: home };
  return spawn(process.execPath, [PROGRAM, ...args], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], ...options });
}

async function outreach(args: readonly string[], options: SpawnOptions = {}): Promise<Answer> {
  const child = start(args, options);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output: output.join('') };
}

const owners = () => [...new Set(execFileSync('find', [dataDir, '-printf', '%U\n'], { encoding: 'utf8' }).trim().split('\n'))].map(Number);

/** Runs the daemon as the service does, until it is ready; then what is given, and then drains it. */
async function whileServing(work: () => Promise<void>): Promise<void> {
  const daemon = start(['start'], { uid: SERVICE, gid: SERVICE });
  const ended = new Promise<number | null>((resolve) => daemon.once('close', resolve));
  const log: string[] = [];
  daemon.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
  const isReady = () => {
    if (daemon.exitCode !== null) throw new Error(log.join(''));
    return log.join('').includes('"msg":"ready"');
  };
  try {
    await waitUntil('the daemon is ready', isReady);
    await work();
  } finally {
    daemon.kill('SIGTERM');
    expect(await ended, log.join('')).toBe(0);
  }
}

describe.runIf(isRoot)('The data directory has one owner', () => {
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-owner-'));
    chmodSync(folder, 0o755);
    afterFile(() => rmSync(folder, { recursive: true, force: true }));
    dataDir = join(folder, 'data');
    home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    expect((await outreach(['install'])).status).toBe(0);
    // As the printed steps say: chown -R USER: DIR
    execFileSync('chown', ['-R', `${SERVICE}:${SERVICE}`, dataDir]);
  });

  it('root acts as that owner, beside the service and without it, and no file changes hands', async () => {
    await whileServing(async () => {
      expect(await outreach(['status', '--json'])).toMatchObject({ status: 0, output: expect.stringContaining('"running": true') });
    });
    // `workspace use` keeps its choice where the owner can read it.
    for (const command of [['status'], ['migrate'], ['workspace', 'use', 'Default'], ['key', 'list'], ['doctor']])
      expect((await outreach(command)).output, command.join(' ')).not.toMatch(/denied|EACCES|can't/);
    expect(owners()).toEqual([SERVICE]);
    await whileServing(async () => undefined);
  });

  it('root is told who it acts as where that user may not write', async () => {
    const { status, output } = await outreach(['backup', '/root/outreach.backup']);
    expect(status).not.toBe(0);
    expect(output).toMatch(/permission denied; .*; this command acts as \S+, the owner of the data directory/);
  });

  it('a stranger is told whose it is and how to act as them, and nothing changes', async () => {
    const { mtimeMs } = statSync(dataDir);
    const { status, output } = await outreach(['status'], { uid: STRANGER, gid: STRANGER });
    expect(status).toBe(2);
    expect(output).toMatch(/^outreach: .* belongs to (\S+), and this user can't write there; run it as \1: sudo -u \1 outreach …\n$/);
    expect(statSync(dataDir).mtimeMs).toBe(mtimeMs);
  });
});
