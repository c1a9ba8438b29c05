import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import AccountList from '../../../commands/account/list.ts';
import Backup from '../../../commands/backup.ts';
import CampaignList from '../../../commands/campaign/list.ts';
import CampaignShow from '../../../commands/campaign/show.ts';
import ContactExport from '../../../commands/contact/export.ts';
import Login from '../../../commands/login.ts';
import Logout from '../../../commands/logout.ts';
import Logs from '../../../commands/logs.ts';
import Whoami from '../../../commands/whoami.ts';
import WorkspaceList from '../../../commands/workspace/list.ts';
import { insertCampaign, insertContact } from '../../support/rows.ts';
import { type Ran, runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';

const home = mkdtempSync(join(tmpdir(), 'outreach-home-'));
afterAll(() => rmSync(home, { recursive: true }));

const world = await servedInstallation();
const here = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
const there = { OUTREACH_URL: world.url, OUTREACH_API_KEY: world.adminKey };

beforeAll(async () => {
  for (const name of ['Spring fair', 'Autumn', 'Winter']) await insertCampaign(world.app, { name });
  await insertContact(world.app, { email: 'ada@example.org', name: 'Ada\nLovelace "the first"' });
});

/** Commands that give the same output on this machine and over HTTP. */
const COMMANDS: readonly (readonly [typeof Command, string[]])[] = [
  [AccountList, []],
  [AccountList, ['--json']],
  [AccountList, ['--csv', '--columns', 'email,status']],
  [CampaignList, []],
  [CampaignList, ['--limit', '2']],
  [CampaignList, ['--all', '--json', '--columns', 'id,name']],
  [CampaignList, ['--columns', 'nmae']],
  [CampaignShow, ['3', '--json']],
  [CampaignShow, ['Sprnig fair']],
  [CampaignShow, ['99']],
  [ContactExport, []],
  [ContactExport, ['--format', 'ndjson', '--search', 'ada']],
  [ContactExport, ['--search', 'foo:bar']],
  [ContactExport, ['--list', 'Nowhere']],
  [ContactExport, [join(home, 'contacts.csv')]],
  [Logs, ['--json']],
  [Logs, ['--since', '2020-01-01', '--account', 'nobody@example.com']],
];

describe('a command', () => {
  it.each(COMMANDS)('%o %j answers on this machine as it does over HTTP', async (command, args) => {
    const [local, remote] = [await runCommand(command, args, here), await runCommand(command, args, there)];
    expect(remote).toEqual(local);
    expect(local.stdout + local.stderr).not.toBe('');
  });
});

const linesOf = ({ stdout }: Ran) => stdout.trimEnd().split('\n');

describe('a list', () => {
  it('tells on stderr that --limit left rows out, and in JSON how many there are', async () => {
    const cut = await runCommand(CampaignList, ['--limit', '2'], there);
    expect(linesOf(cut)).toHaveLength(3);
    expect(cut.stderr).toBe('Showing 2 of 3. Use --all to see all.\n');
    const json = await runCommand(CampaignList, ['--limit', '2', '--json'], there);
    expect(json.stderr).toBe('');
    expect(JSON.parse(json.stdout).pagination).toEqual({ total: 3, limit: 2, offset: 0 });
  });

  it('prints CSV, and the columns that are wanted', async () => {
    const { stdout } = await runCommand(CampaignList, ['--csv', '--columns', 'name'], there);
    expect(stdout).toBe('name\nSpring fair\nAutumn\nWinter\n');
  });
});

describe('a login', () => {
  const at = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };

  it('is used until logging out, but not with OUTREACH_DATA_DIR', async () => {
    const login = await runCommand(Login, [world.url, '--json'], { ...at, OUTREACH_API_KEY: world.adminKey });
    expect(login).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(login.stdout)).toMatchObject({ url: world.url, role: 'admin', workspace: 'Default' });
    expect(JSON.parse((await runCommand(Whoami, ['--json'], at)).stdout)).toMatchObject({ url: world.url, user_id: 1, role: 'admin' });
    const local = await runCommand(Whoami, [], { ...at, ...here });
    expect(local.stdout).toBe('The operator of this machine, admin in workspace "Default".\n');
    expect((await runCommand(Logout, [], at)).stdout).toContain(`Logged out of ${world.url}.`);
    expect((await runCommand(Logout, [], at)).stdout).toBe('You are not logged in.\n');
  });

  it('that is damaged is forgotten by logging out', async () => {
    await runCommand(Login, [world.url], { ...at, OUTREACH_API_KEY: world.adminKey });
    writeFileSync(join(home, '.config/outreach/login.json'), '{');
    expect(await runCommand(Logout, [], at)).toMatchObject({ status: 0, stdout: 'Logged out of a server: the login could not be read.\n' });
    expect((await runCommand(Logout, [], at)).stdout).toBe('You are not logged in.\n');
  });

  it('with a key that the server does not accept is not stored', async () => {
    const login = await runCommand(Login, [world.url], { ...at, OUTREACH_API_KEY: 'ork_wrong' });
    expect(login).toEqual({
      status: 1,
      stdout: '',
      stderr: `outreach: ${world.url} does not accept the API key; run: outreach login ${world.url}\n`,
    });
    expect((await runCommand(Logout, ['--json'], at)).stdout).toContain('"url": null');
  });

  it('says so when no server answers', async () => {
    const { status, stderr } = await runCommand(Login, ['http://127.0.0.1:9'], { ...at, OUTREACH_API_KEY: 'ork_x' });
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^outreach: no Outreach server answers at http:/),
    });
  });
});

describe('a command that needs the machine', () => {
  it('says so when it is given a server', async () => {
    for (const flag of ['--url', '--key'])
      expect(await runCommand(Backup, ['file', flag, 'x'], here)).toEqual({
        status: 2,
        stdout: '',
        stderr: `outreach: backup works only on the machine of the installation; run it there, without ${flag}\n`,
      });
  });

  it('says that it does not work on the server where this user is logged in', async () => {
    const at = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
    const { OUTREACH_DATA_DIR: _, ...database } = here;
    const settings = join(home, 'settings.toml');
    writeFileSync(settings, `data_dir = "${world.dataDir}"\n`);
    const found = { ...at, ...database, OUTREACH_SETTINGS_FILE: settings };
    await runCommand(Login, [world.url], { ...at, OUTREACH_API_KEY: world.adminKey });
    const named = ['--data-dir', world.dataDir];
    expect((await runCommand(WorkspaceList, named, { ...at, ...database })).stderr).toBe('');
    const unnamed = await runCommand(WorkspaceList, [], found);
    expect(unnamed.stderr).toContain(`works on this machine, not on ${world.url}, where you are logged in.\n`);
    expect((await runCommand(WorkspaceList, [], { ...at, ...here })).stderr).toBe('');
    await runCommand(Logout, [], at);
  });

  it('refuses OUTREACH_URL too, unless --data-dir names the installation', async () => {
    expect(await runCommand(Backup, ['file'], { ...here, ...there })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'outreach: backup works only on the machine of the installation; unset OUTREACH_URL, or add --data-dir\n',
    });
    const local = await runCommand(Backup, [join(home, 'backup'), '--data-dir', world.dataDir], { ...here, ...there });
    expect(local).toMatchObject({ status: 0 });
  });
});
