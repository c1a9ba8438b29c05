import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, operator, removeUser } from '../../../src/access/index.ts';
import type { App } from '../../../src/app.ts';
import { sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';
import { refusal } from '../../support/served.ts';

let app: App;
let daemon: Daemon;
let api: ApiClient;

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});
afterAll(() => daemon?.stop());

const auditOf = (id: number) =>
  app.db.query<{ action: string; user_id: number | null; ip: string | null; changes: object }>(
    sql`select action, user_id, host(ip) as ip, changes from audit_log where resource_type = 'user' and resource_id = ${id} order by id`,
  );

describe('GET /users', () => {
  it('answers { data: [user] } of the workspace, each with exactly the fields of the user record', async () => {
    const elsewhere = await member(app, 'admin', { workspaceId: await workspace(app) });
    const { status, body } = await api.get('/users');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data[0]).toEqual({
      id: 1,
      name: 'Admin',
      email: 'admin@example.com',
      role: 'admin',
      disabled: false,
      pending_invite: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(body.data.map((user: { id: number }) => user.id)).not.toContain(elsewhere.id);
  });

  it('is not paginated: limit is no parameter of it', async () => {
    expect(await api.get('/users?limit=1')).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  });

  it('a person of another workspace answers 404', async () => {
    const { id } = await member(app, 'manager', { workspaceId: await workspace(app) });
    expect(await api.get(`/users/${id}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect((await api.post(`/users/${id}/disable`)).status).toBe(404);
  });

  it('the role is the one held in the workspace of the key', async () => {
    const other = await workspace(app);
    const { id, email } = await member(app, 'manager');
    await app.db.tx((tx) => addUser(tx, app, operator(other), { name: 'Same person', email, role: 'view_only' }));
    const otherAdmin = await member(app, 'admin', { workspaceId: other });
    expect((await api.get(`/users/${id}`)).body.role).toBe('manager');
    expect((await api.as(otherAdmin.key).get(`/users/${id}`)).body.role).toBe('view_only');
  });
});

describe('Users: other keys get 403', () => {
  it.each(['manager', 'view_only'] as const)('a %s key gets 403 on every endpoint, before 404 and 400', async (role) => {
    const other = api.as((await member(app, role)).key);
    const answers = await Promise.all([
      other.get('/users'),
      other.get('/users/1'),
      other.get('/users/999999'),
      other.get('/users?nonsense=1'),
      other.post('/users', { email: 7 }),
      other.post('/users/999999/disable'),
      other.post('/users/1/enable'),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });
});

describe('POST /users', () => {
  it('a new address creates the person with pending_invite: 201 and the user, without any secret', async () => {
    const { status, body } = await api.post('/users', { name: ' Ada Lovelace ', email: 'Ada@Example.com', role: 'manager' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Ada Lovelace',
      email: 'Ada@Example.com',
      role: 'manager',
      disabled: false,
      pending_invite: true,
      created_at: '2026-07-07 12:00:00',
    });
    expect((await api.get(`/users/${body.id}`)).body).toEqual(body);
    expect(await auditOf(body.id)).toEqual([
      { action: 'user.add', user_id: 1, ip: '127.0.0.1', changes: { name: 'Ada Lovelace', email: 'Ada@Example.com', role: 'manager' } },
    ]);
  });

  it('an existing account is added with nothing to accept, and tells nothing that other workspaces know: no name, no age, no state', async () => {
    const other = await workspace(app);
    const { id, email } = await member(app, 'view_only', { workspaceId: other });
    const { key } = await member(app, 'admin', { workspaceId: await workspace(app) });
    await app.db.query(sql`update users set created_at = '2020-01-01', disabled_at = '2026-01-01', invite_hash = 'x', invited_at = now(),
      invite_workspace_id = ${other} where id = ${id}`);
    const given = { name: 'As we know them', email: email.toUpperCase(), role: 'admin' };
    const { status, body } = await api.as(key).post('/users', given);
    expect(status).toBe(201);
    expect(body).toEqual({ ...given, id, email, disabled: false, pending_invite: false, created_at: '2026-07-07 12:00:00' });
    expect((await api.as(key).get(`/users/${id}`)).body).toEqual(body);
    expect((await api.as(key).get('/users')).body.data).toContainEqual(body);
    await app.db.query(sql`update users set disabled_at = null, invite_hash = null where id = ${id}`);
  });

  it('a member who is disabled afterwards shows it in each of their workspaces', async () => {
    const elsewhere = await member(app, 'admin', { workspaceId: await workspace(app) });
    const { id, email } = await member(app, 'manager');
    await api.as(elsewhere.key).post('/users', { name: 'Same', email, role: 'manager' });
    await api.post(`/users/${id}/disable`);
    expect((await api.as(elsewhere.key).get(`/users/${id}`)).body).toMatchObject({ name: 'Same', disabled: true });
    expect((await api.get(`/users/${id}`)).body).toMatchObject({ name: `Person ${email}`, disabled: true });
  });

  it('a present member, in any case of letters, is 409', async () => {
    const answer = await api.post('/users', { name: 'Admin', email: 'ADMIN@example.com', role: 'admin' });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });

  it('twenty at once for one new address: one 201, the others 409, one person', async () => {
    const body = { name: 'Race', email: 'race@example.com', role: 'manager' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post('/users', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await app.db.query(sql`select 1 from users where email = 'race@example.com'`)).toHaveLength(1);
  });

  it.each([
    [{ email: 'x@example.com', role: 'admin' }, 'name'],
    [{ name: ' ', email: 'x@example.com', role: 'admin' }, 'name: must not be empty'],
    [{ name: 'a'.repeat(256), email: 'x@example.com', role: 'admin' }, 'name: at most 255 characters'],
    [{ name: 'X', email: 'x', role: 'admin' }, 'email: must be one email address'],
    [{ name: 'X', email: 'x@example.com', role: 'owner' }, 'role: must be one of admin, manager, view_only'],
    [{ name: 'X', email: 'x@example.com' }, 'role'],
    [{ name: 'X\nBcc: y@example.com', email: 'x@example.com', role: 'admin' }, 'name: must not contain line breaks'],
    [{ name: 'X', email: 'x@example.com', role: 'admin', password: 'p' }, 'unknown field "password"'],
  ])('%j is 400 naming the field', async (body, message) => {
    const answer = await api.post('/users', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.body.error.message).toContain(message);
  });

  it('the read-only fields of a user are ignored', async () => {
    const { body } = await api.get('/users/1');
    const answer = await api.post('/users', { ...body, name: 'Copy', email: 'copy@example.com' });
    expect(answer).toMatchObject({ status: 201, body: { name: 'Copy', disabled: false, pending_invite: true } });
  });
});

describe('POST /users/{id}/invite', () => {
  const keyOf = async (link: string) =>
    /ork_\w{40}/.exec(await (await fetch(`${api.url}${new URL(link).pathname}`, { method: 'POST' })).text())?.[0] ?? '';

  it('without system email the link of an invitation is in the response, and leads to a key', async () => {
    const { body: user } = await api.post('/users', { name: 'Linked', email: 'linked@example.com', role: 'manager' });
    const { status, body } = await api.post(`/users/${user.id}/invite`);
    expect(status).toBe(200);
    expect(body).toEqual({ user_id: user.id, is_emailed: false, invite_link: expect.stringMatching(/\/invite\/[\w-]{43}$/) });
    expect((await api.as(await keyOf(body.invite_link)).get('/me')).body).toMatchObject({ user_id: user.id, role: 'manager' });
    expect(await api.post(`/users/${user.id}/invite`)).toMatchObject(refusal(409, 'conflict', 'no open invitation'));
  });

  it('a retry with its Idempotency-Key gets the same link', async () => {
    const { body: user } = await api.post('/users', { name: 'Retried', email: 'retried@example.com', role: 'manager' });
    const [first, second] = [0, 1].map(() => () => api.post(`/users/${user.id}/invite`, {}, { 'idempotency-key': 'link' }));
    expect((await first?.())?.body).toEqual((await second?.())?.body);
  });

  it('an admin of another workspace gets no link to this one, though the person is theirs too', async () => {
    const other = await member(app, 'admin', { workspaceId: await workspace(app) });
    const { body: user } = await api.post('/users', { name: 'Wanted', email: 'wanted@example.com', role: 'admin' });
    expect(await api.as(other.key).post(`/users/${user.id}/invite`)).toMatchObject(refusal(404, 'not_found'));
    await api.as(other.key).post('/users', { name: 'Wanted', email: user.email, role: 'manager' });
    expect(await api.as(other.key).post(`/users/${user.id}/invite`)).toMatchObject(refusal(409, 'conflict', 'no open invitation'));
  });

  it('one who was removed from every workspace is invited again', async () => {
    const { body: user } = await api.post('/users', { name: 'First', email: 'returning@example.com', role: 'manager' });
    const { body: first } = await api.post(`/users/${user.id}/invite`);
    await removeUser(app, operator(1), user.id);
    expect(await keyOf(first.invite_link)).toBe('');
    const again = await api.post('/users', { name: 'Second', email: user.email, role: 'view_only' });
    expect(again).toMatchObject({ status: 201, body: { id: user.id, name: 'Second', pending_invite: true } });
  });
});

describe('Disable and enable', () => {
  it('disable answers 200 with the user, and is done once', async () => {
    const { id } = await member(app, 'manager');
    const first = await api.post(`/users/${id}/disable`);
    expect(first).toMatchObject({ status: 200, body: { id, disabled: true, role: 'manager' } });
    expect(await api.post(`/users/${id}/disable`)).toMatchObject({ status: 200, body: first.body });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['user.add', 'user.disable']);
  });

  it('disable acts everywhere: keys of every workspace fail from the next request, and enable does not bring them back', async () => {
    const other = await workspace(app);
    const { id, email, key } = await member(app, 'view_only');
    await app.db.tx((tx) => addUser(tx, app, operator(other), { name: 'Same', email, role: 'manager' }));
    expect((await api.as(key).get('/me')).status).toBe(200);
    await api.post(`/users/${id}/disable`);
    expect((await api.as(key).get('/me')).status).toBe(401);
    expect(await api.post(`/users/${id}/enable`)).toMatchObject({ status: 200, body: { id, disabled: false } });
    expect((await api.as(key).get('/me')).status).toBe(401);
    expect(await app.db.query(sql`select 1 from api_keys where user_id = ${id} and revoked_at is null`)).toEqual([]);
  });

  it('disabling yourself is 409', async () => {
    await member(app, 'admin');
    expect(await api.post('/users/1/disable')).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect((await api.get('/me')).status).toBe(200);
  });

  it('two admins who disable each other at once: one stays', async () => {
    const [a, b] = [await member(app, 'admin'), await member(app, 'admin')];
    await app.db.query(sql`update users set disabled_at = now() where id not in (${a.id}, ${b.id})`);
    const answers = await Promise.all([api.as(a.key).post(`/users/${b.id}/disable`), api.as(b.key).post(`/users/${a.id}/disable`)]);
    const enabled = await app.db.query<{ id: number }>(sql`select id from users where disabled_at is null`);
    await app.db.query(sql`update users set disabled_at = null`);
    expect(enabled).toHaveLength(1);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  it('only admins of the default workspace act install-wide: an admin of another one gets 403, before 404', async () => {
    const other = await workspace(app);
    const admin = await member(app, 'admin', { workspaceId: other });
    const { id } = await member(app, 'manager', { workspaceId: other });
    for (const path of [`/users/${id}/disable`, `/users/${id}/enable`, '/users/999999/disable'])
      expect(await api.as(admin.key).post(path)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });

  it('an id that can not exist is 404', async () => {
    for (const id of ['0', '-1', 'x', '2147483648', '1.0']) expect((await api.post(`/users/${id}/disable`)).status).toBe(404);
  });
});

describe('GET /workspace', () => {
  it("answers the key's own workspace and the caller's role in it", async () => {
    const id = await workspace(app, 'Acme');
    const { key } = await member(app, 'view_only', { workspaceId: id });
    const { status, body } = await api.as(key).get('/workspace');
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      name: 'Acme',
      is_default: false,
      role: 'view_only',
      timezone: null,
      positive_labels: ['interested', 'meeting'],
      created_at: '2026-07-07 12:00:00',
      updated_at: '2026-07-07 12:00:00',
    });
    expect((await api.get('/workspace')).body).toMatchObject({ id: 1, name: 'Default', is_default: true, role: 'admin' });
  });

  it('no endpoint reveals other workspaces', async () => {
    for (const path of ['/workspaces', '/workspaces/2', '/workspace/2']) expect((await api.get(path)).status).toBe(404);
  });
});
