import { join } from 'node:path';
import type { Command } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import History from '../../../commands/history/index.ts';
import KeyCreate from '../../../commands/key/create.ts';
import KeyList from '../../../commands/key/list.ts';
import KeyRevoke from '../../../commands/key/revoke.ts';
import OutboxList from '../../../commands/outbox/list.ts';
import OutboxResolve from '../../../commands/outbox/resolve.ts';
import PersonErase from '../../../commands/person/erase.ts';
import PersonExport from '../../../commands/person/export.ts';
import TrashList from '../../../commands/trash/list.ts';
import TrashRestore from '../../../commands/trash/restore.ts';
import UserCreate from '../../../commands/user/create.ts';
import UserDisable from '../../../commands/user/disable.ts';
import UserEnable from '../../../commands/user/enable.ts';
import UserInvite from '../../../commands/user/invite.ts';
import UserList from '../../../commands/user/list.ts';
import UserRemove from '../../../commands/user/remove.ts';
import UserRole from '../../../commands/user/role.ts';
import WorkspaceMembers from '../../../commands/workspace/members.ts';
import WorkspaceRename from '../../../commands/workspace/rename.ts';
import WorkspaceSet from '../../../commands/workspace/set.ts';
import { member, workspace } from '../../support/people.ts';
import { insertContact } from '../../support/rows.ts';
import { type Ran, runCommand } from '../../support/run-command.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { servedInstallation } from '../../support/served.ts';
import { deletedList, unknownMail, type World } from '../cases/world.ts';

const world = await servedInstallation();
const { app } = world;
const here = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
const there = (key = world.adminKey) => ({ OUTREACH_URL: world.url, OUTREACH_API_KEY: key });

/** Masks ids, times, keys and links, which differ from run to run. */
const masked = ({ status, stdout, stderr }: Ran) => ({
  status,
  text: `${stdout}${stderr}`
    .replaceAll(/ork_\w+/g, 'KEY')
    .replaceAll(/invite\/[\w-]+/g, 'INVITE')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/[ -]+/g, ' '),
});

/** Runs commands on users and records, which are created anew for this machine and for HTTP. */
async function life(env: Record<string, string>): Promise<Ran[]> {
  const all: Ran[] = [];
  const run = async (command: typeof Command, ...args: string[]) => {
    const ran = await runCommand(command, args, env);
    all.push(ran);
    return ran;
  };
  const email = `person${Math.floor(Math.random() * 1e9)}@example.com`;
  await run(UserCreate, email, '--name', 'P', '--role', 'manager');
  await run(UserCreate, email, '--name', 'P', '--role', 'manager');
  await run(UserInvite, email);
  await run(UserRole, email, 'view_only', '--json');
  await run(KeyCreate, 'sync', '--user', email, '--expires', '2036-01-01');
  await run(KeyCreate, 'sync', '--user', 'nobody@example.com');
  const { id } = JSON.parse((await run(KeyCreate, 'more', '--user', email, '--json')).stdout);
  await run(KeyRevoke, String(id));
  await run(KeyRevoke, '999999');
  await run(UserDisable, email);
  await run(UserEnable, email);
  await run(UserRemove, email);
  await run(UserRemove, email);
  await run(WorkspaceRename, '1', 'Default');
  await run(WorkspaceSet, 'default', '--timezone', 'Mars/Base');
  await run(WorkspaceSet, 'Default', '--postal-address', 'Acme, Main St. 1');
  await run(WorkspaceMembers, '--columns', 'role', '--limit', '1');
  await run(TrashRestore, 'lists', await deletedList(world as unknown as World));
  await run(TrashRestore, 'steps', '1');
  await run(OutboxResolve, await unknownMail(world as unknown as World), '--sent');
  await run(OutboxList, '--limit', '1', '--columns', 'state,recipient', '--csv');
  await insertContact(app, { email });
  await run(PersonExport, email, join(world.dataDir, 'person.json'));
  await run(PersonExport, 'nobody@example.com');
  await run(PersonErase, email);
  await run(PersonErase, email, '--yes');
  await run(PersonErase, email, '--yes');
  await run(History, '--resource', 'campaigns', '--limit', '1');
  await run(History, '--columns', 'what,action', '--limit', '2', '--user', 'nobody@example.com');
  return all;
}

describe('commands about people and the installation', () => {
  it('answer on this machine as they do over HTTP', async () => {
    // The first run must find an email besides its own, like the second.
    await unknownMail(world as unknown as World);
    const [local, remote] = [(await life(here)).map(masked), (await life(there())).map(masked)];
    expect(remote).toEqual(local);
    expect(local.filter(({ status }) => status === 0).length).toBeGreaterThan(15);
  });

  it('show an admin the own workspace alone, and the operator every one', async () => {
    const elsewhere = await workspace(app);
    const { key, email } = await member(app, 'admin', { workspaceId: elsewhere });
    const emails = async (env: Record<string, string>, ...args: string[]) =>
      (await runCommand(KeyList, ['--all', '--csv', '--columns', 'email', ...args], env)).stdout.split('\n');
    expect(await emails(there())).not.toContain(email);
    expect((await emails(there(key))).filter((line) => line !== '')).toEqual(['email', email]);
    expect(await emails(here)).toEqual(expect.arrayContaining([email, 'admin@example.com']));
    expect(await emails(here, '--workspace', '1')).not.toContain(email);
  });

  it('are refused to a manager in one line', async () => {
    const { key } = await member(app, 'manager');
    for (const command of [UserList, KeyList, OutboxList, TrashList, History])
      expect(await runCommand(command, [], there(key))).toEqual({
        status: 1,
        stdout: '',
        stderr: 'outreach: only an admin may do this\n',
      });
  });

  it('work with a key in its own workspace only', async () => {
    const { status, stderr } = await runCommand(WorkspaceMembers, ['Acme'], there());
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'outreach: the key works in its own workspace, "Default" (1); for another, use one of its keys\n',
    });
  });
});
