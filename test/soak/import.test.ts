import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { waitUntil } from '../support/wait-until.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'outreach-great-import-'));
const running = new Set<ChildProcess>();
let installation: TestInstallation;

beforeAll(async () => {
  installation = await testInstallation();
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Rows that are as long as told in a column that goes nowhere: a great file of few contacts. */
async function csv(name: string, rows: number, filler: number): Promise<string> {
  const path = join(folder, name);
  const text = 'x'.repeat(filler);
  const lines = function* () {
    yield 'email,name,filler\n';
    for (let row = 0; row < rows; row++) yield `${name}-${row}@great.example,Ada ${row},${text}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

function start(path: string): ChildProcess {
  const { dataDir, databaseUrl } = installation;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: dataDir,
    OUTREACH_DATA_DIR: dataDir,
    OUTREACH_SECRET_KEY: TEST_SECRET,
    DATABASE_URL: databaseUrl,
  };
  const child = spawn(process.execPath, [PROGRAM, 'contact', 'import', path, '--json'], { env });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs the command to its end; answers the most memory that its process had, in MB (Linux' VmHWM). */
async function memoryOf(path: string): Promise<number> {
  const child = start(path);
  let most = 0;
  const watch = setInterval(() => {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(statusOf(child)) ?? [];
    most = Math.max(most, Number(kilobytes ?? 0) / 1_000);
  }, 50);
  const status = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(watch);
  expect(status).toBe(0);
  return most;
}

function statusOf({ pid }: ChildProcess): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

const contacts = async () => {
  const [row] = await installation.app.db.query<{ count: number }>(sql`select count(*)::int as count from contacts`);
  return row?.count ?? 0;
};
const importing = () =>
  installation.app.db.query<{ query: string }>(sql`
    select query from pg_stat_activity where datname = current_database() and application_name = 'outreach cli' and state <> 'idle'`);

describe('a great import', () => {
  it.runIf(process.platform === 'linux')('takes no more memory for a file that is thirty times as long', async () => {
    const small = await memoryOf(await csv('small', 500, 10_000));
    const great = await memoryOf(await csv('great', 15_000, 10_000));
    expect(await contacts()).toBe(15_500);
    expect(great).toBeLessThan(small + 150);
  });

  it.each([
    ['while rows are read', 'copy import_rows'],
    ['while they are merged', 'insert into contacts'],
  ])('killed %s, it leaves nothing behind and can be run again', async (_, statement) => {
    const path = await csv(statement.split(' ')[0] ?? '', 60_000, 10);
    const before = await contacts();
    const child = start(path);
    await waitUntil(`the statement ${statement}`, async () => (await importing()).some(({ query }) => query.includes(statement)));
    child.kill('SIGKILL');
    await waitUntil('the connection of the killed import is gone', async () => (await importing()).length === 0, 60);
    expect(await contacts()).toBe(before);
    const status = await new Promise((resolve) => start(path).once('exit', resolve));
    expect([status, await contacts()]).toEqual([0, before + 60_000]);
  });
});
