import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';

const SERVER = new URL('../support/test-server.ts', import.meta.url).href;
const SCRIPT = `
  import { startTestServer } from '${SERVER}';
  const { folder, serverFolder } = await startTestServer();
  console.log(JSON.stringify([folder, serverFolder]));
  setInterval(() => undefined, 1000);`;

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

it('a test run that is killed leaves neither its PostgreSQL nor its folders behind', async () => {
  const { TEST_DATABASE_URL: _, ...env } = process.env;
  const run = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(run.stdout), 'line')) as [string];
  const [folder, serverFolder] = JSON.parse(line) as [string, string];
  const server = Number(readFileSync(join(serverFolder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  expect(lives(server)).toBe(true);
  run.kill('SIGKILL');
  await waitUntil('the server ends', () => !lives(server), 30);
  await waitUntil('its folders are gone', () => !existsSync(folder) && !existsSync(serverFolder), 30);
});
