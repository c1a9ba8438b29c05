import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addUser,
  archiveWorkspace,
  changeRole,
  createKey,
  disableUser,
  enableUser,
  operator,
  revokeKey,
  unarchiveWorkspace,
} from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { countActiveCampaigns } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { testInstallation } from '../support/database.ts';
import { member, workspace } from '../support/people.ts';

let app: App;
let daemon: Daemon;
let api: ApiClient;
let adminKey: string;

beforeAll(async () => {
  const installation = await testInstallation();
  ({ app, adminKey } = installation);
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', adminKey);
});
afterAll(() => daemon?.stop());

const statusOf = async (key: string) => (await api.as(key).get('/me')).status;
const withHeader = (authorization: string) => fetch(`${daemon.url}/api/v1/me`, { headers: { authorization } });

describe('Authentication', () => {
  it('a revoked key fails from the next request, and the other keys of the person go on', async () => {
    const person = await member(app, 'manager');
    const second = await app.db.tx((tx) => createKey(tx, app, operator(1), { name: 'second', userId: person.id, workspaceId: 1 }));
    expect(await statusOf(person.key)).toBe(200);
    await revokeKey(app, operator(1), person.keyId);
    expect(await statusOf(person.key)).toBe(401);
    expect(await statusOf(second.key)).toBe(200);
  });

  it("disabling a user ends that user's keys from the next request; enabling needs new ones", async () => {
    const person = await member(app, 'manager');
    await disableUser(app, operator(1), person.id);
    expect(await statusOf(person.key)).toBe(401);
    const make = () => app.db.tx((tx) => createKey(tx, app, operator(1), { name: 'new', userId: person.id, workspaceId: 1 }));
    await expect(make()).rejects.toMatchObject({ code: 'conflict' });
    await enableUser(app, operator(1), person.id);
    expect(await statusOf(person.key)).toBe(401);
    expect(await statusOf((await make()).key)).toBe(200);
  });

  it('keys of an archived workspace fail from the next request and work again after unarchive', async () => {
    const id = await workspace(app);
    const person = await member(app, 'admin', { workspaceId: id });
    await archiveWorkspace(app, operator(id), countActiveCampaigns);
    expect(await statusOf(person.key)).toBe(401);
    await unarchiveWorkspace(app, operator(id));
    expect(await statusOf(person.key)).toBe(200);
  });

  it('a changed role counts from the next request', async () => {
    const person = await member(app, 'manager');
    const mine = api.as(person.key);
    expect((await mine.get('/users')).status).toBe(403);
    await changeRole(app, operator(1), person.id, 'admin');
    expect((await mine.get('/users')).status).toBe(200);
    expect((await mine.get('/me')).body.role).toBe('admin');
    await changeRole(app, operator(1), person.id, 'view_only');
    expect((await mine.get('/users')).status).toBe(403);
  });

  it('a key belongs to one workspace, and the role is the one held there', async () => {
    const other = await workspace(app);
    const person = await member(app, 'view_only');
    await app.db.tx((tx) => addUser(tx, app, operator(other), { name: 'Same', email: person.email, role: 'admin' }));
    const { key } = await app.db.tx((tx) => createKey(tx, app, operator(other), { name: 'k', userId: person.id, workspaceId: other }));
    expect((await api.as(person.key).get('/me')).body).toMatchObject({ user_id: person.id, role: 'view_only' });
    expect((await api.as(key).get('/me')).body).toMatchObject({ user_id: person.id, role: 'admin' });
    expect((await api.as(key).get('/users')).body.data).toHaveLength(1);
  });

  it('only a hash of the key is stored', async () => {
    const { key } = await member(app, 'manager');
    const rows = await app.db.query<{ row: string }>(sql`select k::text as row from api_keys k union all select a::text from audit_log a`);
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(key.slice(8));
  });

  it('the scheme is read in any case, and nothing but Bearer is one', async () => {
    expect((await withHeader(`bearer ${adminKey}`)).status).toBe(200);
    expect((await withHeader(`BEARER  ${adminKey}`)).status).toBe(200);
    for (const header of [
      adminKey,
      `Basic ${adminKey}`,
      `Bearer ${adminKey} x`,
      `Bearer ${adminKey}x`,
      `Bearer ${adminKey.toUpperCase()}`,
      'Bearer',
    ])
      expect((await withHeader(header)).status, header.replace(adminKey, 'KEY')).toBe(401);
  });

  it('cookies and query parameters are no way in', async () => {
    expect((await fetch(`${daemon.url}/api/v1/me?api_key=${adminKey}&access_token=${adminKey}`)).status).toBe(401);
    expect((await fetch(`${daemon.url}/api/v1/me`, { headers: { cookie: `Authorization=Bearer ${adminKey}` } })).status).toBe(401);
  });

  it('401 comes before everything else: unknown paths, other methods, broken bodies', async () => {
    const nobody = api.as('ork_00000000000000000000000000000000ffffffff');
    for (const answer of [
      await nobody.get('/nothing'),
      await nobody.delete('/me'),
      await nobody.post('/users', '{'),
      await nobody.get('/users/x'),
    ])
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  });
});
