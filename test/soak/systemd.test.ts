import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { blocksOf, ROOT } from '../support/docs.ts';
import { freePort } from '../support/imap-server.ts';
import { hasMachines, type Machine, startMachine } from '../support/machine.ts';
import { debianPostgres, startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait-until.ts';

if (!hasMachines) console.warn('no right to mount: the steps of the service are not run');

const [install, upgrade, uninstall, deleteAll] = blocksOf('docs/installing.md', 'sh npm').map(({ text }) => text);
const [printed] = blocksOf('docs/installing.md', 'sh printed').map(({ text }) => text);

let tarball: string;

/** The npm package, packed once. */
beforeAll(() => {
  if (!hasMachines) return;
  const folder = mkdtempSync(join(tmpdir(), 'outreach-npm-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const name = execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, encoding: 'utf8' }).trim();
  tarball = join(folder, name);
});

describe.runIf(hasMachines).each([
  ['the embedded PostgreSQL', false],
  ['a PostgreSQL server of its own', true],
])('docs/installing.md: the npm package as a service, with %s', { timeout: 240_000 }, (_with, isExternal) => {
  let machine: Machine;
  let url: string;
  let steps: string;

  const isServing = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  const owners = () => machine.works("find /var/lib/outreach -printf '%u\\n' | sort -u");

  beforeAll(async () => {
    machine = await startMachine();
    // The Node of the reader, which npm runs on too.
    machine.put(process.execPath, '/usr/local/bin/node');
    machine.put(tarball, '/outreach-1.0.0.tgz');
    url = `http://127.0.0.1:${await freePort()}`;
    const server = isExternal ? await startPostgres({ bin: debianPostgres }) : undefined;
    const database = server === undefined ? '' : `export DATABASE_URL=postgres://tester:secret@127.0.0.1:${server.port}/postgres`;
    const output = await machine.works(`export OUTREACH_PORT=${new URL(url).port}\n${database}\n${install}`);
    [, steps = ''] = /run these commands as root[^\n]*\n\n((?: {2}.*\n?)+)/.exec(output) ?? [];
  }, 240_000);

  it('the printed steps are those of the page, and start it', async () => {
    expect(steps.replaceAll(/^ {2}/gm, '')).toBe(printed);
    await machine.works(steps);
    await waitUntil('the service is ready', isServing);
  });

  it('commands of root in between do it no harm', async () => {
    await machine.works('outreach status && outreach migrate && outreach key list && outreach user list');
    await machine.run('outreach doctor');
    await machine.works('systemctl restart outreach');
    await waitUntil('the service is ready again', isServing);
    await machine.works('systemctl stop outreach && outreach status && outreach key list && systemctl start outreach');
    await waitUntil('the service is ready a third time', isServing);
    expect(await owners()).toBe('outreach\n');
  });

  it('is upgraded, and goes on with its data', async () => {
    await machine.works(`
      mkdir later && tar -xzf outreach-1.0.0.tgz -C later && sed -Ei 's/("version": ?)"1.0.0"/\\1"1.1.0"/' later/package/{package,oclif.manifest}.json
      tar -czf outreach-1.1.0.tgz -C later package`);
    await machine.works(upgrade ?? '');
    await waitUntil('the service is ready', isServing);
    expect(await machine.works('outreach --version')).toMatch(/^outreach\/1\.1\.0[ +]/);
    expect(await machine.works('outreach user list')).toContain('ada@example.com');
    expect(await owners()).toBe('outreach\n');
    expect(await machine.works("stat -c '%U %a' /var/backups/outreach/*")).toBe('outreach 600\n');
  });

  it('is uninstalled, first without its data, then with them', async () => {
    await machine.works(uninstall ?? '');
    expect(await machine.works('find /proc -maxdepth 1 -user outreach 2>/dev/null || true')).toBe('');
    expect(await machine.works('ls -d /var/lib/outreach/secret.key')).toBe('/var/lib/outreach/secret.key\n');
    await machine.works(deleteAll ?? '');
    const left =
      'ls -d /var/lib/outreach /usr/local/bin/outreach /usr/local/lib/node_modules/outreach /etc/systemd/system/*outreach* 2>/dev/null || true';
    expect(await machine.works(left)).toBe('');
  });
});
