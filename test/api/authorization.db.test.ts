import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, type Caller, createKey, createWorkspace, operator, type Role, revokeKey } from '../../src/access/index.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type Ids, idOf, makeOneOfEach, named, pathWith, send } from '../support/one-of-each.ts';
import { type Operation, operationsOf } from '../support/openapi.ts';

let installation: TestInstallation;
let daemon: Daemon;
let admin: ApiClient;
let operations: Operation[];
let viewOnly: ApiClient;
let manager: ApiClient;
let foreign: ApiClient;
/** Ids in the other workspace, and in our own, by the first segment of the path. */
let foreignIds: Ids;
let foreignWorkspace: number;
let ownIds: Ids;

beforeAll(async () => {
  installation = await testInstallation({ webhooksAllowPrivate: true });
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
  ({ operations } = await operationsOf(daemon.url ?? ''));
  viewOnly = admin.as((await member('viewer@example.com', 'view_only')).key);
  manager = admin.as((await member('manager@example.com', 'manager')).key);
  foreignWorkspace = await installation.app.db.tx((tx) => createWorkspace(tx, installation.app, null, { name: 'Elsewhere' }));
  const stranger = await member('stranger@example.com', 'admin', operator(foreignWorkspace));
  foreign = admin.as(stranger.key);
  foreignIds = await makeOneOfEach(installation.app, foreign, foreignWorkspace, stranger.userId);
  ownIds = await makeOneOfEach(installation.app, admin, 1, 1);
});
afterAll(() => daemon?.stop());

async function member(email: string, role: Role, caller: Caller = operator(1)) {
  const { app } = installation;
  return app.db.tx(async (tx) => {
    const { id } = await addUser(tx, app, caller, { name: email, email, role });
    const { key, id: keyId } = await createKey(tx, app, caller, { name: email, userId: id, workspaceId: caller.workspaceId });
    return { userId: id, key, keyId };
  });
}

/** Returns all stored rows of a workspace by table, except for API keys, whose last use changes. */
async function storedOf(workspaceId: number): Promise<Record<string, string>> {
  const { pool } = installation.app.db;
  const { rows: tables } = await pool.query<{ name: string }>(`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'workspace_id' and table_type = 'BASE TABLE' and table_name <> 'api_keys' order by 1`);
  const stored: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ rows: string }>(
      `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as rows from ${name} t where workspace_id = $1`,
      [workspaceId],
    );
    stored[name] = rows[0]?.rows ?? '';
  }
  expect(tables.length).toBeGreaterThan(10);
  return stored;
}

/** Calls every operation and lists those with an unexpected status. */
async function unlike(status: number, chosen: Operation[], ask: (operation: Operation) => Promise<{ status: number }>): Promise<string[]> {
  const wrong: string[] = [];
  for (const operation of chosen) {
    const answer = await ask(operation);
    if (answer.status !== status) wrong.push(`${named(operation)} -> ${answer.status}`);
  }
  expect(chosen.length).toBeGreaterThan(0);
  return wrong;
}

describe('for every resource and verb', () => {
  it('no key gives 401', async () => {
    expect(await unlike(401, operations, (operation) => send(admin.as(null), operation, pathWith(operation, ownIds)))).toEqual([]);
  });

  it('a revoked key gets 401 on the next request', async () => {
    const { key, keyId } = await member('revoked@example.com', 'admin');
    expect((await admin.as(key).get('/me')).status).toBe(200);
    await revokeKey(installation.app, installation.caller, keyId);
    expect(await unlike(401, operations, (operation) => send(admin.as(key), operation, pathWith(operation, ownIds)))).toEqual([]);
  });

  it("a disabled user's key gets 401 on the next request", async () => {
    const { key, userId } = await member('disabled@example.com', 'admin');
    expect((await admin.as(key).get('/me')).status).toBe(200);
    expect((await admin.post(`/users/${userId}/disable`)).status).toBe(200);
    expect(await unlike(401, operations, (operation) => send(admin.as(key), operation, pathWith(operation, ownIds)))).toEqual([]);
  });

  it('a view_only key reads, and every write of it answers 403', async () => {
    const writes = operations.filter((operation) => operation.method !== 'GET');
    const before = await storedOf(1);
    expect(await unlike(403, writes, (operation) => send(viewOnly, operation, pathWith(operation, ownIds)))).toEqual([]);
    expect(await unlike(403, writes, (operation) => send(viewOnly, operation, pathWith(operation, ownIds), operation.example))).toEqual([]);
    expect(await storedOf(1)).toEqual(before);
    // Share lists and imports are for the creator and admins. A read without a required parameter is only malformed.
    const reads = operations.filter(
      (operation) =>
        operation.method === 'GET' &&
        !needsQuery(operation) &&
        !isForAdmins(operation) &&
        !/^\/webhooks|\/shares$|^\/imports\/\{/.test(operation.path),
    );
    expect(await unlike(200, reads, (operation) => send(viewOnly, operation, pathWith(operation, ownIds)))).toEqual([]);
  });

  it('a manager gets 403 on everything for admins, and nowhere else on reading', async () => {
    const ofUsers = operations.filter(isForAdmins);
    expect(await unlike(403, ofUsers, (operation) => send(manager, operation, pathWith(operation, ownIds)))).toEqual([]);
    for (const operation of operations.filter((each) => each.method === 'GET' && !isForAdmins(each)))
      expect((await send(manager, operation, pathWith(operation, ownIds))).status, named(operation)).not.toBe(403);
  });

  it("another workspace's things answer 404, whatever the body or the query", async () => {
    const withIds = operations.filter((operation) => /\{id\}/.test(operation.path));
    const before = await storedOf(foreignWorkspace);
    for (const bodyOf of [() => ({}), ({ example }: Operation) => example, () => ({ nonsense: true })])
      expect(await unlike(404, withIds, (operation) => send(admin, operation, pathWith(operation, foreignIds), bodyOf(operation)))).toEqual(
        [],
      );
    const malformed = (operation: Operation) => `${pathWith(operation, foreignIds)}?nonsense=true`;
    expect(await unlike(404, withIds, (operation) => send(admin, operation, malformed(operation)))).toEqual([]);
    expect(await storedOf(foreignWorkspace)).toEqual(before);
    // Only admins of the default workspace act install-wide; for others that is 403, which comes before 404.
    const local = withIds.filter((operation) => !/^\/users\/\{id\}\/(disable|enable)$/.test(operation.path));
    expect(await unlike(404, local, (operation) => send(foreign, operation, pathWith(operation, ownIds)))).toEqual([]);
  });

  it("another workspace's thing under an own one answers 404, and so does an own one under another workspace's", async () => {
    const nested = operations.filter((operation) => /\{id\}.*\{/.test(operation.path));
    expect(await unlike(404, nested, (operation) => send(admin, operation, pathWith(operation, ownIds, foreignIds)))).toEqual([]);
    expect(await unlike(404, nested, (operation) => send(admin, operation, pathWith(operation, foreignIds, ownIds)))).toEqual([]);
  });

  it("another workspace's ids in a body or a query are as if there were none: 400, skipped, or an empty page", async () => {
    const before = await storedOf(foreignWorkspace);
    const answered: Record<string, string> = {};
    for (const operation of operations) {
      const fields = Object.keys(operation.body?.properties ?? {}).filter((name) => /_ids?$/.test(name));
      for (const name of [...fields, ...operation.query.map((each) => each.name).filter((each) => /(?<!^after)_id$/.test(each))]) {
        const id = idOf(foreignIds, `${name.replace(/_ids?$/, '')}s`);
        const path = pathWith(operation, ownIds) + (operation.method === 'GET' ? `?${name}=${id}` : '');
        const body = { ...REST_OF_BODY[named(operation)], [name]: name.endsWith('s') ? [id] : id };
        const { status, body: answer } = await send(admin, operation, path, body);
        answered[`${named(operation)} ${name}`] = status === 200 ? JSON.stringify(answer.data ?? answer) : String(status);
      }
    }
    expect(answered).toEqual(WITH_FOREIGN_IDS);
    expect(await storedOf(foreignWorkspace)).toEqual(before);
  });

  it('what is shared with nobody answers 404 to a manager who neither made it nor is listed', async () => {
    for (const table of ['contacts', 'campaigns', 'templates', 'accounts'])
      await installation.app.db.pool.query(`update ${table} set is_shared_to_all = false where workspace_id = 1`);
    const scoped = operations.filter((operation) => /^\/(contacts|campaigns|templates|accounts)\/\{id\}/.test(operation.path));
    expect(await unlike(404, scoped, (operation) => send(manager, operation, pathWith(operation, ownIds)))).toEqual([]);
    for (const table of ['contacts', 'campaigns', 'templates', 'accounts']) {
      expect((await manager.get(`/${table}`)).body, table).toMatchObject({ data: [], pagination: { total: 0 } });
      expect((await admin.get(`/${table}/${ownIds[table]}`)).status, table).toBe(200);
    }
  });

  it('the admin gets none of these for the same paths: it was the key that was refused', async () => {
    // Changes first, then deletions, records before those that contain them.
    const inOrder = [...operations].sort((a, b) => rank(a) - rank(b));
    const refused: string[] = [];
    // A draft that was approved no longer exists.
    for (const operation of inOrder.filter((each) => named(each) !== 'DELETE /drafts/{id}')) {
      const { status } = await send(admin, operation, pathWith(operation, ownIds));
      if ([401, 403, 404].includes(status) || status >= 500) refused.push(`${named(operation)} -> ${status}`);
      if (operation.method === 'GET' && status !== 200 && !needsQuery(operation)) refused.push(`${named(operation)} -> ${status}`);
    }
    expect(refused).toEqual([]);
  });
});

/** True for operations on resources that only admins read and change. */
const isForAdmins = ({ path }: Operation) => /^\/(users|keys|outbox|trash|history|person)(\/|$)/.test(path);

const needsQuery = ({ query }: Operation) => query.some(({ required }) => required);

/** The body that such a request needs besides the id. */
const REST_OF_BODY: Record<string, object> = {
  'POST /campaigns': { name: 'C' },
  'POST /contacts': { email: 'new@example.org' },
  'POST /contacts/batch': { contacts: [{ email: 'batch@example.org' }] },
  'POST /contacts/verify': { contact_ids: [999_999] },
  'POST /campaigns/{id}/test': { to: 'me@example.com' },
  'POST /rotations': { campaign_id: 1, account_ids: [1] },
  'POST /webhooks': { url: 'http://127.0.0.1:9/' },
  'POST /keys': { name: 'K' },
  'POST /campaigns/{id}/contacts/hold': { until: '2030-01-01T00:00:00Z' },
  'POST /accounts/{id}/placements': { to: [1] },
};

/** The response to an id of another workspace, for each field that takes ids. A new field in the document must be added here. */
const WITH_FOREIGN_IDS: Record<string, string> = {
  'POST /campaigns account_id': '400',
  'PATCH /campaigns/{id} account_id': '400',
  'PATCH /campaigns/{id}/options list_id': '400',
  'POST /campaigns/{id}/contacts contact_ids': '{"enrolled":0}',
  'POST /campaigns/{id}/contacts list_ids': '400',
  'POST /campaigns/{id}/contacts/hold contact_ids': '{"changed":0,"unchanged":1}',
  'POST /campaigns/{id}/contacts/stop contact_ids': '{"changed":0,"unchanged":1}',
  'POST /accounts/{id}/placements campaign_id': '400',
  'GET /calendar account_id': '404',
  'GET /calendar campaign_id': '404',
  'POST /contacts list_ids': '400',
  'POST /contacts/verify contact_ids': '[]',
  'POST /contacts/{id}/merge contact_id': '400',
  'PUT /contacts/by-email/{email} list_ids': '400',
  'POST /campaigns/{id}/test contact_id': '400',
  'GET /rotations campaign_id': '[]',
  'POST /rotations campaign_id': '400',
  'POST /rotations account_ids': '400',
  'POST /rotations/{id}/accounts account_ids': '400',
  'POST /keys user_id': '400',
  'PUT /weekly-reports campaign_id': '400',
  'PUT /weekly-reports user_id': '400',
  'GET /campaigns/{id}/preview contact_id': '404',
  'GET /contacts list_id': '[]',
  'GET /contacts/export list_id': JSON.stringify('id,email,name,company,is_archived,is_shared_to_all,created_at,updated_at,cf.f\r\n'),
  'POST /lists/{id}/members contact_ids': '{"added":0}',
  ...Object.fromEntries(
    ['campaigns', 'contacts', 'templates', 'accounts'].flatMap((type) => [
      [`POST /${type}/{id}/shares user_id`, '400'],
      [`PUT /${type}/{id}/owner user_id`, '400'],
    ]),
  ),
  'GET /events campaign_id': '[]',
  'GET /events contact_id': '[]',
  ...Object.fromEntries(['campaign', 'contact', 'account'].map((resource) => [`GET /replies ${resource}_id`, '[]'])),
  'POST /webhooks campaign_ids': '400',
  'PATCH /webhooks/{id} campaign_ids': '400',
};

/**
 * An account is removed from its rotation group before it is archived, which does that as well. Links to reports go before
 * their campaigns.
 */
const rank = ({ method, path }: Operation) => {
  if (method === 'GET' || path === '/rotations/{id}/accounts/{account_id}') return 0;
  if (path === '/report-links/{id}') return 2;
  return method === 'DELETE' ? 10 - path.split('/').length : 1;
};
