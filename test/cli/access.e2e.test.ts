import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type Cli, cliOf, refuse, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;
let cli: Cli;

beforeAll(async () => {
  installation = await testInstallation();
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
  cli = cliOf(installation);
});
afterAll(() => daemon?.stop());

const run = (...args: string[]) => succeed(cli, ...args);
const refusal = (status: number, ...args: string[]) => refuse(cli, status, ...args);
const invite = async (email: string, role = 'manager', ...more: string[]) =>
  run('user', 'create', email, '--name', 'N', '--role', role, ...more);

describe('outreach user', () => {
  it('user create prints the invite link where no system mail is configured, and null for an existing account', async () => {
    const user = await invite('ada@example.com');
    expect(user).toMatchObject({ email: 'ada@example.com', role: 'manager', disabled: false, pending_invite: true });
    expect(user.invite_link).toMatch(/^http:\/\/127\.0\.0\.1:8025\/invite\/[\w-]{43}$/);
    await run('workspace', 'create', 'Acme', '--timezone', 'Europe/Berlin');
    expect(await invite('ADA@example.com', 'admin', '--workspace', 'acme')).toMatchObject({
      id: user.id,
      role: 'admin',
      invite_link: null,
    });
    expect(await refusal(1, 'user', 'create', 'ada@example.com', '--name', 'N', '--role', 'admin')).toContain('already a member');
  });

  it('the printed link leads to a key; user invite replaces it while it is open', async () => {
    const { invite_link: first } = await invite('grace@example.com');
    const { invite_link: second } = await run('user', 'invite', 'grace@example.com');
    const follow = (link: string) => fetch(`${daemon.url}${new URL(link).pathname}`, { method: 'POST' });
    expect((await follow(first)).status).toBe(404);
    const page = await (await follow(second)).text();
    const key = /ork_\w{40}/.exec(page)?.[0] ?? '';
    expect((await api.as(key).get('/me')).body.email).toBe('grace@example.com');
    expect(await refusal(1, 'user', 'invite', 'grace@example.com')).toContain('no open invitation');
  });

  it('user disable ends the keys at once, user enable does not bring them back; the last enabled admin stays', async () => {
    await invite('mary@example.com');
    const { key } = await run('key', 'create', 'laptop', '--user', 'mary@example.com');
    expect((await api.as(key).get('/me')).status).toBe(200);
    expect(await run('user', 'disable', 'Mary@example.com')).toMatchObject({ email: 'mary@example.com', disabled: true });
    expect((await api.as(key).get('/me')).status).toBe(401);
    expect(await refusal(1, 'key', 'create', 'new', '--user', 'mary@example.com')).toContain('disabled');
    expect(await run('user', 'enable', 'mary@example.com')).toMatchObject({ disabled: false });
    expect((await api.as(key).get('/me')).status).toBe(401);
    expect(await refusal(1, 'user', 'disable', 'admin@example.com')).toContain('last enabled admin');
    expect(await refusal(1, 'user', 'disable', 'nobody@example.com')).toContain('not found');
  });

  it('user role changes the role in one workspace; the last enabled admin keeps theirs', async () => {
    await invite('joan@example.com', 'view_only');
    expect(await run('user', 'role', 'joan@example.com', 'manager')).toMatchObject({ role: 'manager' });
    expect(await refusal(1, 'user', 'role', 'admin@example.com', 'manager')).toContain('last enabled admin');
    expect(await refusal(1, 'user', 'role', 'joan@example.com', 'admin', '--workspace', 'Nowhere')).toContain('not found');
    expect(await refusal(2, 'user', 'role', 'joan@example.com', 'owner')).toContain('owner');
  });

  it('a name with a line break is refused: it could smuggle a header into the invitation', async () => {
    expect(await refusal(2, 'user', 'create', 'x@example.com', '--name', 'X\nBcc: y@example.com', '--role', 'admin')).toContain('name:');
  });
});

describe('outreach workspace', () => {
  it('create, rename, members, archive, unarchive', async () => {
    const made = await run('workspace', 'create', 'First name');
    expect(made).toMatchObject({ name: 'First name', is_default: false, role: 'admin', timezone: null });
    expect(await run('workspace', 'rename', String(made.id), 'Second name')).toMatchObject({ id: made.id, name: 'Second name' });
    expect(await refusal(1, 'workspace', 'rename', 'Second name', 'DEFAULT')).toContain('exists');
    await invite('owner@example.com', 'admin', '--workspace', 'second name');
    expect((await run('workspace', 'members', 'Second name')).data).toMatchObject([{ email: 'owner@example.com', role: 'admin' }]);
    const { key } = await run('key', 'create', 'k', '--user', 'owner@example.com', '--workspace', String(made.id));

    expect(await run('workspace', 'archive', 'Second name')).toEqual({ id: made.id, name: 'Second name', is_archived: true });
    expect((await api.as(key).get('/me')).status).toBe(401);
    expect((await run('workspace', 'list')).data.map(({ name }: { name: string }) => name)).not.toContain('Second name');
    expect((await run('workspace', 'list', '--archived')).data).toMatchObject([{ id: made.id, is_archived: true }]);
    await run('workspace', 'unarchive', 'Second name');
    expect((await api.as(key).get('/me')).status).toBe(200);
  });

  it('the default workspace, and one with active campaigns, are not archived', async () => {
    expect(await refusal(1, 'workspace', 'archive', '1')).toContain('default workspace');
    const { id } = await run('workspace', 'create', 'Busy');
    await installation.app.db.query(sql`
      with account as (
        insert into accounts (workspace_id, provider, email, smtp, smtp_secret, connected_at, updated_at)
        values (${id}, 'smtp', 'box@example.com', '{}', '', now(), now()) returning id)
      insert into campaigns (workspace_id, name, account_id, timezone, status, created_at, updated_at)
      select ${id}, 'Spring', id, 'UTC', 'active', now(), now() from account`);
    expect(await refusal(1, 'workspace', 'archive', 'Busy')).toContain('pause them first');
  });
});

describe('outreach key', () => {
  it('key create prints id, name, user_id, workspace_id, key; key list never prints a key; key revoke ends it', async () => {
    const made = await run('key', 'create', ' nightly sync ', '--user', 'admin@example.com');
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'nightly sync',
      user_id: 1,
      workspace_id: 1,
      key: expect.stringMatching(/^ork_/),
    });
    const listed = await cli(['key', 'list', '--json']);
    expect(listed.stdout).not.toContain(made.key);
    expect(listed.json().data).toContainEqual(expect.objectContaining({ id: made.id, name: 'nightly sync', revoked_at: null }));
    expect((await cli(['key', 'list'])).stdout, 'a workspace is shown by its name').toMatch(/WORKSPACE .*\n.* Default /);
    expect(await run('key', 'revoke', String(made.id))).toEqual({ id: made.id, revoked: true });
    expect((await api.as(made.key).get('/me')).status).toBe(401);
    expect(await refusal(1, 'key', 'revoke', '999999')).toContain('not found');
    expect(await refusal(1, 'key', 'create', 'k', '--user', 'admin@example.com', '--workspace', 'Acme')).toContain('not a member');
  });
});

describe('outreach history', () => {
  it('shows who, what, when and the IP address of a change made through a key', async () => {
    const { body } = await api.post('/users', { name: 'Seen', email: 'seen@example.com', role: 'manager' });
    const { data } = await run('history', '--resource', `users/${body.id}`);
    expect(data).toEqual([
      {
        id: expect.any(Number),
        at: '2026-07-07 12:00:00',
        workspace_id: 1,
        actor: 'user',
        user_id: 1,
        email: 'admin@example.com',
        api_key_id: 1,
        ip: '127.0.0.1',
        action: 'user.add',
        resource_type: 'user',
        resource_id: body.id,
        changes: { name: 'Seen', email: 'seen@example.com', role: 'manager' },
      },
    ]);
    const text = await cli(['history', '--limit', '1']);
    expect(text.stdout).toMatch(/admin@example\.com +user\.add +user\/\d+ +127\.0\.0\.1/);
  });

  it('what is done at the command line is there too, as cli', async () => {
    const { id } = await run('workspace', 'create', 'Audited');
    const { data } = await run('history', '--workspace', 'Audited');
    expect(data).toMatchObject([{ actor: 'cli', user_id: null, ip: null, action: 'workspace.create', resource_id: id }]);
  });

  it('narrows by person and by instant', async () => {
    const { data } = await run('history', '--user', 'ADMIN@example.com', '--limit', '1000');
    expect(data.length).toBeGreaterThan(0);
    expect(new Set(data.map(({ user_id: by }: { user_id: number }) => by))).toEqual(new Set([1]));
    expect((await run('history', '--user', 'admin@example.com', '--since', '2026-07-07T12:00:00Z')).data).not.toEqual([]);
    expect((await run('history', '--user', 'admin@example.com', '--since', '2026-07-07T12:00:01Z')).data).toEqual([]);
    expect(await refusal(2, 'history', '--since', 'soon')).toContain('--since');
    expect(await refusal(2, 'history', '--resource', 'campaigns')).toContain('--resource');
    expect(await refusal(1, 'history', '--user', 'nobody@example.com')).toContain('not found');
  });
});

describe('outreach trash', () => {
  it('trash list shows what was deleted, and trash restore brings it back', async () => {
    const [list] = await installation.app.db.query<{ id: number }>(sql`
      insert into lists (workspace_id, name, created_at, deleted_at) values (1, 'Leads', now(), '2026-07-01T00:00:00Z') returning id`);
    const id = list?.id ?? 0;
    const row = { type: 'lists', id, name: 'Leads', workspace_id: 1 };
    expect((await run('trash', 'list')).data).toEqual([{ ...row, workspace_name: 'Default', deleted_at: '2026-07-01 00:00:00' }]);
    expect(await run('trash', 'restore', 'lists', String(id))).toEqual(row);
    expect(await refusal(1, 'trash', 'restore', 'lists', String(id))).toContain(`list ${id} is not in the trash`);
    expect(await refusal(2, 'trash', 'restore', 'steps', '1')).toContain('type: must be one of');
  });
});
