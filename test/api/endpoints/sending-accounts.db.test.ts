import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser, createKey, createWorkspace, operator, type Role } from '../../../src/access/index.ts';
import { setAccount, setAccountStatus } from '../../../src/accounts/index.ts';
import { pauseAccountInTx } from '../../../src/campaigns/index.ts';
import { sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../../support/database.ts';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;
let manager: ApiClient;
let viewer: ApiClient;
let stranger: ApiClient;
let managerId: number;
let id: number;

beforeAll(async () => {
  installation = await testInstallation();
  const { app, adminKey, databaseUrl } = installation;
  daemon = await startDaemon(app, { worker: false, databaseUrl });
  api = apiClient(daemon.url ?? '', adminKey);
  const elsewhere = await app.db.tx((tx) => createWorkspace(tx, app, null, { name: 'Elsewhere' }));
  const made = await member('manager', 1);
  managerId = made.userId;
  manager = api.as(made.key);
  viewer = api.as((await member('view_only', 1)).key);
  stranger = api.as((await member('admin', elsewhere)).key);
});
afterAll(() => daemon?.stop());
beforeEach(async () => {
  id = await insertAccount();
});

async function member(role: Role, workspaceId: number) {
  const { app } = installation;
  return app.db.tx(async (tx) => {
    const caller = operator(workspaceId);
    const user = await addUser(tx, app, caller, { email: `${role}${workspaceId}@example.com`, name: role, role });
    return { userId: user.id, key: (await createKey(tx, app, caller, { name: role, userId: user.id, workspaceId })).key };
  });
}

async function insertAccount(createdBy: number | null = null): Promise<number> {
  const [row] = await installation.app.db.query<{ id: number }>(sql`
    insert into accounts (workspace_id, provider, email, smtp, smtp_secret, connected_at, updated_at, created_by)
    values (1, 'smtp', ${`box${Math.random()}@example.com`}, '{"host":"smtp.example.com"}', 'v1:sealed', ${TEST_START}, ${TEST_START}, ${createdBy})
    returning id`);
  return row?.id ?? 0;
}

let contacts = 0;

/** A campaign of the account that is active, with one step and one contact. */
async function activeCampaign(accountId = id): Promise<number> {
  const campaign = (await api.post('/campaigns', { name: 'C', account_id: accountId })).body.id;
  await api.post(`/campaigns/${campaign}/steps`, { subject: 'S', body_html: '<p>B</p>' });
  const contact = (await api.post('/contacts', { email: `c${contacts++}@example.org` })).body.id;
  await api.post(`/campaigns/${campaign}/contacts`, { contact_ids: [contact] });
  expect((await api.post(`/campaigns/${campaign}/activate`)).status).toBe(200);
  return campaign;
}

const statusOf = async (campaign: number) => (await api.get(`/campaigns/${campaign}`)).body.status;
const auditOf = (resourceId: number) =>
  installation.app.db.query<{ action: string; user_id: number | null; ip: string | null }>(sql`
    select action, user_id, ip::text from audit_log where resource_type = 'account' and resource_id = ${resourceId} order by id`);

describe('GET /accounts', () => {
  it('an account record has exactly the fields of a sending account, and no credentials', async () => {
    const { status, body } = await api.get(`/accounts/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      provider: 'smtp',
      email: expect.stringMatching(/@example\.com$/),
      from_name: '',
      status: 'active',
      daily_send_limit: 50,
      timezone: 'UTC',
      send_window_start_hour: 8,
      send_window_end_hour: 18,
      send_batch_min: 1,
      send_batch_max: 3,
      send_batch_interval_minutes: 10,
      pause_reason: null,
      pause_message: null,
      is_archived: false,
      connected_at: '2026-07-07 12:00:00',
    });
  });

  it('the list is paginated, by id, and holds the same records', async () => {
    const { body } = await api.get('/accounts?limit=200');
    expect(body.pagination).toEqual({ total: body.data.length, limit: 200, offset: 0 });
    const ids = body.data.map((account: { id: number }) => account.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(body.data).toContainEqual((await api.get(`/accounts/${id}`)).body);
    const last = await api.get(`/accounts?limit=1&offset=${ids.length - 1}`);
    expect(last.body).toEqual({ data: [body.data.at(-1)], pagination: { total: ids.length, limit: 1, offset: ids.length - 1 } });
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=5x',
    'offset=-1',
    'archived=true',
    'status=active',
  ])('?%s is a bad query parameter', async (query) => {
    expect(await api.get(`/accounts?${query}`)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  });

  it('another workspace sees none of them', async () => {
    expect((await stranger.get('/accounts')).body.data).toEqual([]);
    expect((await stranger.get(`/accounts/${id}`)).status).toBe(404);
  });

  it('a hidden account is there for its creator, admins and the people on its share list alone', async () => {
    const hidden = await insertAccount();
    await setAccount(installation.app, installation.caller, hidden, { is_shared_to_all: false });
    const seen = async (client: ApiClient) =>
      (await client.get('/accounts?limit=200')).body.data.some((row: { id: number }) => row.id === hidden);
    expect([(await manager.get(`/accounts/${hidden}`)).status, await seen(manager)]).toEqual([404, false]);
    expect((await manager.post(`/accounts/${hidden}/pause`)).status).toBe(404);
    expect((await manager.delete(`/accounts/${hidden}`)).status).toBe(404);
    expect([(await api.get(`/accounts/${hidden}`)).status, await seen(api)]).toEqual([200, true]);
    expect((await api.post(`/accounts/${hidden}/shares`, { user_id: managerId })).status).toBe(201);
    expect([(await manager.get(`/accounts/${hidden}`)).status, await seen(manager)]).toEqual([200, true]);
    const own = await insertAccount(managerId);
    await setAccount(installation.app, installation.caller, own, { is_shared_to_all: false });
    expect((await manager.get(`/accounts/${own}`)).status).toBe(200);
  });
});

describe('pause and resume', () => {
  it('pausing pauses the active campaigns too, resuming resumes exactly those', async () => {
    const active = await activeCampaign();
    const stopped = await activeCampaign();
    await api.post(`/campaigns/${stopped}/pause`);
    const draft = (await api.post('/campaigns', { name: 'D', account_id: id })).body.id;

    const paused = await api.post(`/accounts/${id}/pause`);
    expect(paused).toMatchObject({ status: 200, body: { id, status: 'paused', pause_reason: 'manual', pause_message: null } });
    expect(paused.body).toEqual((await api.get(`/accounts/${id}`)).body);
    expect([await statusOf(active), await statusOf(stopped), await statusOf(draft)]).toEqual(['paused', 'paused', 'draft']);

    const resumed = await api.post(`/accounts/${id}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { status: 'active', pause_reason: null } });
    expect([await statusOf(active), await statusOf(stopped), await statusOf(draft)]).toEqual(['active', 'paused', 'draft']);
    expect(await auditOf(id)).toEqual([
      { action: 'account.pause', user_id: 1, ip: expect.stringMatching(/127\.0\.0\.1/) },
      { action: 'account.resume', user_id: 1, ip: expect.stringMatching(/127\.0\.0\.1/) },
    ]);
  });

  it('both can be repeated; pausing what paused itself makes it a person’s pause', async () => {
    expect((await api.post(`/accounts/${id}/resume`)).body.status).toBe('active');
    const { app, caller } = installation;
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, id, { reason: 'provider_limit', message: '550 5.4.5 limit' }));
    expect((await api.get(`/accounts/${id}`)).body).toMatchObject({
      status: 'paused',
      pause_reason: 'provider_limit',
      pause_message: null,
    });
    for (let times = 0; times < 2; times++)
      expect((await api.post(`/accounts/${id}/pause`)).body).toMatchObject({ status: 'paused', pause_reason: 'manual' });
  });

  it('provider_error shows the provider’s words, and a disconnected account can’t be resumed', async () => {
    const { app, caller } = installation;
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, id, { reason: 'provider_error', message: '550 5.7.1 blocked' }));
    expect((await api.get(`/accounts/${id}`)).body).toMatchObject({ pause_reason: 'provider_error', pause_message: '550 5.7.1 blocked' });
    await app.db.tx((tx) =>
      setAccountStatus(tx, app, caller, id, { status: 'disconnected', pause_reason: 'provider_error', pause_message: '535 revoked' }),
    );
    const refused = await api.post(`/accounts/${id}/resume`);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect((await api.get(`/accounts/${id}`)).body.status).toBe('disconnected');
  });
});

describe('archive, unarchive and delete', () => {
  it('archiving pauses the active campaigns and answers the account; both can be repeated', async () => {
    const campaign = await activeCampaign();
    for (let times = 0; times < 2; times++)
      expect(await api.post(`/accounts/${id}/archive`)).toMatchObject({ status: 200, body: { id, is_archived: true } });
    expect(await statusOf(campaign)).toBe('paused');
    expect((await api.get(`/accounts/${id}`)).body.is_archived).toBe(true);
    expect((await api.post('/campaigns', { name: 'X', account_id: id })).status).toBe(400);
    for (let times = 0; times < 2; times++)
      expect(await api.post(`/accounts/${id}/unarchive`)).toMatchObject({ status: 200, body: { is_archived: false } });
    expect(await auditOf(id)).toMatchObject([{ action: 'account.archive' }, { action: 'account.unarchive' }]);
  });

  it('DELETE answers 204 without a body, pauses the campaigns, and the account is gone', async () => {
    const campaign = await activeCampaign();
    expect(await api.delete(`/accounts/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await statusOf(campaign)).toBe('paused');
    for (const answer of [await api.get(`/accounts/${id}`), await api.post(`/accounts/${id}/resume`), await api.delete(`/accounts/${id}`)])
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect((await api.post('/campaigns', { name: 'X', account_id: id })).status).toBe(400);
  });
});

describe('what the API does not do', () => {
  it('a view_only key reads, and every write answers 403', async () => {
    expect((await viewer.get(`/accounts/${id}`)).status).toBe(200);
    for (const action of ['pause', 'resume', 'archive', 'unarchive'])
      expect(await viewer.post(`/accounts/${id}/${action}`)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await viewer.delete(`/accounts/${id}`)).status).toBe(403);
    expect(await auditOf(id)).toEqual([]);
  });

  it('there is no write for settings and none for credentials', async () => {
    expect((await api.patch(`/accounts/${id}`, { daily_send_limit: 5 })).status).toBe(404);
    expect((await api.post('/accounts', { email: 'a@example.com' })).status).toBe(404);
  });

  it('an action takes no fields', async () => {
    expect((await api.post(`/accounts/${id}/pause`, { reason: 'x' })).status).toBe(400);
    expect((await api.get(`/accounts/${id}`)).body.status).toBe('active');
    expect((await api.post('/accounts/999999/pause', { reason: 'x' })).status).toBe(404);
  });
});
