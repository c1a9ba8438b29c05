import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requireVisible, type SharedTable } from '../../../src/access/index.ts';
import type { App } from '../../../src/app.ts';
import { raw, sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';

type Person = Awaited<ReturnType<typeof member>>;

let app: App;
let daemon: Daemon;
let admin: ApiClient;
let creator: Person;
let colleague: Person;

beforeAll(async () => {
  const installation = await testInstallation();
  app = installation.app;
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
  creator = await member(app, 'manager');
  colleague = await member(app, 'manager');
});
afterAll(() => daemon?.stop());

const COLUMNS: Record<SharedTable, [columns: string, values: (n: number) => string]> = {
  contacts: ['email, updated_at', (n) => `'c${n}@example.com', now()`],
  templates: ['name, type, body_html, updated_at', () => "'T', 'template', '<p>T</p>', now()"],
  accounts: [
    'provider, email, smtp, smtp_secret, connected_at, updated_at',
    (n) => `'smtp', 'a${n}@example.com', '{}', 'sealed', now(), now()`,
  ],
  campaigns: ['name, account_id, timezone, updated_at', () => "'C', (select min(id) from accounts), 'UTC', now()"],
};
let made = 0;

/** Inserts a private resource of the creator directly, because these tests are only about its share list. */
async function privateResource(table: SharedTable, createdBy: number | null = creator.id, workspaceId = 1): Promise<number> {
  if (table === 'campaigns') await privateResource('accounts');
  const [columns, values] = COLUMNS[table];
  const created = table === 'accounts' ? ['', ''] : [', created_at', ', now()'];
  const [row] = await app.db.query<{ id: number }>(sql`
    insert into ${raw(table)} (workspace_id, is_shared_to_all, created_by, ${raw(columns)}${raw(created[0] ?? '')})
    values (${workspaceId}, false, ${createdBy}, ${raw(values(++made))}${raw(created[1] ?? '')}) returning id`);
  return row?.id ?? 0;
}

const canSee = (table: SharedTable, person: Person, id: number) =>
  requireVisible(
    app.db,
    { actor: 'user', workspaceId: 1, userId: person.id, role: 'manager', apiKeyId: person.keyId, ip: null, isInstallAdmin: false },
    table,
    id,
  ).then(
    () => true,
    () => false,
  );

const refusal = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) } } });

describe.each(['campaigns', 'contacts', 'templates', 'accounts'] as const)('Sharing of %s', (table) => {
  let id: number;
  let shares: string;
  beforeEach(async () => {
    id = await privateResource(table);
    shares = `/${table}/${id}/shares`;
  });

  it('POST answers 201 with the updated share list when it creates, 200 when the share was there', async () => {
    const owner = admin.as(creator.key);
    const list = {
      data: [
        {
          user_id: colleague.id,
          name: `Person ${colleague.email}`,
          email: colleague.email,
          granted_by: creator.id,
          granted_at: '2026-07-07 12:00:00',
        },
      ],
    };
    expect(await owner.get(shares)).toMatchObject({ status: 200, body: { data: [] } });
    expect(await canSee(table, colleague, id)).toBe(false);
    expect(await owner.post(shares, { user_id: colleague.id })).toMatchObject({ status: 201, body: list });
    expect(await owner.post(shares, { user_id: colleague.id })).toMatchObject({ status: 200, body: list });
    expect((await owner.get(shares)).body).toEqual(list);
    expect(await canSee(table, colleague, id)).toBe(true);
  });

  it('DELETE answers 204 without a body and takes the visibility away; 404 when there is no such share', async () => {
    await admin.post(shares, { user_id: colleague.id });
    expect(await admin.delete(`${shares}/${colleague.id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await canSee(table, colleague, id)).toBe(false);
    expect(await admin.delete(`${shares}/${colleague.id}`)).toMatchObject(refusal(404, 'not_found'));
    const audit = await app.db.query<{ action: string }>(
      sql`select action from audit_log where resource_type = ${table.slice(0, -1)} and resource_id = ${id} order by id`,
    );
    expect(audit.map(({ action }) => action)).toEqual([`${table.slice(0, -1)}.share`, `${table.slice(0, -1)}.unshare`]);
  });

  it("only the resource's creator or an admin may manage shares, anyone else gets 404, even who it is shared with", async () => {
    await admin.post(shares, { user_id: colleague.id });
    const other = admin.as(colleague.key);
    for (const answer of [
      await other.get(shares),
      await other.post(shares, { user_id: creator.id }),
      await other.post(shares, { user_id: 'x' }),
      await other.delete(`${shares}/${colleague.id}`),
    ])
      expect(answer).toMatchObject(refusal(404, 'not_found'));
    expect((await admin.get(shares)).body.data).toHaveLength(1);
  });

  it('user_id must be a member of the workspace, else 400', async () => {
    const stranger = await member(app, 'manager', { workspaceId: await workspace(app) });
    for (const body of [{ user_id: stranger.id }, { user_id: 999_999 }, { user_id: '2' }, {}, { user_id: null }, { user_id: 1.5 }])
      expect(await admin.post(shares, body)).toMatchObject(refusal(400, 'invalid_request'));
    expect((await admin.get(shares)).body.data).toEqual([]);
  });

  it('a missing, deleted or foreign resource is 404, before 400', async () => {
    const foreign = await privateResource(table, null, await workspace(app));
    await app.db.query(sql`update ${raw(table)} set deleted_at = now() where id = ${id}`);
    for (const gone of [id, foreign, 999_999]) {
      expect(await admin.get(`/${table}/${gone}/shares`)).toMatchObject(refusal(404, 'not_found'));
      expect(await admin.post(`/${table}/${gone}/shares`, { user_id: [] })).toMatchObject(refusal(404, 'not_found'));
      expect(await admin.delete(`/${table}/${gone}/shares/1`)).toMatchObject(refusal(404, 'not_found'));
    }
  });

  it('a view_only creator reads the share list and writes nothing', async () => {
    const viewer = await member(app, 'view_only');
    const own = `/${table}/${await privateResource(table, viewer.id)}/shares`;
    const api = admin.as(viewer.key);
    expect((await api.get(own)).status).toBe(200);
    expect(await api.post(own, { user_id: colleague.id })).toMatchObject(refusal(403, 'forbidden'));
    expect(await api.delete(`${own}/${colleague.id}`)).toMatchObject(refusal(403, 'forbidden'));
  });

  it('what nobody in particular made is managed by admins only', async () => {
    const made = await privateResource(table, null);
    expect((await admin.get(`/${table}/${made}/shares`)).status).toBe(200);
    expect((await admin.as(creator.key).get(`/${table}/${made}/shares`)).status).toBe(404);
  });

  it('ten equal POSTs at once make one share: one 201, nine 200', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post(shares, { user_id: colleague.id })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect((await admin.get(shares)).body.data).toHaveLength(1);
  });
});

it('there are no share lists of lists', async () => {
  expect((await admin.get('/lists/1/shares')).status).toBe(404);
});
