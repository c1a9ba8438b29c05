import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import type { ManualClock } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { member, workspace } from '../../support/people.ts';
import { insertContact } from '../../support/rows.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

let app: App;
let clock: ManualClock;
let api: ApiClient;

beforeAll(async () => {
  ({ app, clock, api } = await servedInstallation());
});

const list = async (name = 'A list'): Promise<number> => (await api.post('/lists', { name })).body.id;
const contacts = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  while (ids.length < count) ids.push(await insertContact(app));
  return ids;
};
const countOf = async (id: number, as = api) => (await as.get(`/lists/${id}`)).body.contact_count as number;
const membersOf = async (id: number, as = api) =>
  ((await as.get(`/lists/${id}/members?limit=200`)).body.data as { contact_id: number }[]).map((row) => row.contact_id);

describe('Lists', () => {
  it('POST answers 201 with exactly the fields of a list; two may have one name', async () => {
    const { status, body } = await api.post('/lists', { name: '  Friends ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Friends',
      contact_count: 0,
      created_at: '2026-07-07 12:00:00',
      updated_at: null,
    });
    expect((await api.get(`/lists/${body.id}`)).body).toEqual(body);
    expect((await api.post('/lists', { name: 'Friends' })).status).toBe(201);
  });

  it.each([
    {},
    { name: '' },
    { name: '  ' },
    { name: null },
    { name: 7 },
    { name: 'x'.repeat(256) },
    { name: 'a\nb' },
  ])('a bad name gives 400 naming it, to POST and PATCH alike: %j', async (body) => {
    expect(await api.post('/lists', body)).toMatchObject(refusal(400, 'invalid_request', 'name'));
    const id = await list('Kept');
    if ('name' in body) expect(await api.patch(`/lists/${id}`, body)).toMatchObject(refusal(400, 'invalid_request', 'name'));
    expect((await api.get(`/lists/${id}`)).body.name).toBe('Kept');
  });

  it('a field that is none gives 400; contact_count and the like are ignored', async () => {
    expect(await api.post('/lists', { name: 'x', members: [] })).toMatchObject(refusal(400, 'invalid_request', 'members'));
    const before = (await api.post('/lists', { name: 'x', contact_count: 5 })).body;
    expect(before.contact_count).toBe(0);
    clock.advance(60_000);
    const { status, body } = await api.patch(`/lists/${before.id}`, { ...before, name: 'Renamed', contact_count: 9 });
    expect([status, body]).toEqual([200, { ...before, name: 'Renamed', updated_at: '2026-07-07 12:01:00' }]);
  });

  it('GET pages by id with an exact total', async () => {
    const ids = [await list(), await list(), await list()];
    const { total } = (await api.get('/lists')).body.pagination;
    const page = (await api.get(`/lists?limit=2&offset=${total - 2}`)).body;
    expect(page.data.map((row: { id: number }) => row.id)).toEqual(ids.slice(1));
    expect(page.pagination).toEqual({ total, limit: 2, offset: total - 2 });
    for (const query of ['limit=0', 'limit=201', 'offset=x', 'q=x']) expect((await api.get(`/lists?${query}`)).status).toBe(400);
  });

  it('DELETE answers 204: the list is gone, its contacts stay', async () => {
    const [id, [one = 0]] = [await list(), await contacts(1)];
    await api.post(`/lists/${id}/members`, { contact_ids: [one] });
    expect(await api.delete(`/lists/${id}`)).toMatchObject({ status: 204, body: undefined });
    for (const answer of [
      await api.get(`/lists/${id}`),
      await api.patch(`/lists/${id}`, { name: 'x' }),
      await api.delete(`/lists/${id}`),
      await api.get(`/lists/${id}/members`),
      await api.post(`/lists/${id}/members`, { contact_ids: [one] }),
      await api.delete(`/lists/${id}/members/${one}`),
    ])
      expect(answer).toMatchObject(refusal(404, 'not_found'));
    expect((await api.get(`/contacts/${one}`)).status).toBe(200);
    expect(await app.db.query(sql`select contact_id from list_members where list_id = ${id}`)).toEqual([{ contact_id: one }]);
  });
});

describe('Members', () => {
  it('POST answers 200 with how many were added; present, repeated, unknown and deleted ones are skipped', async () => {
    const [id, ids] = [await list(), await contacts(4)];
    await api.delete(`/contacts/${ids[3]}`);
    const add = (contactIds: unknown) => api.post(`/lists/${id}/members`, { contact_ids: contactIds });
    expect(await add([...ids, ids[0], 999_999])).toMatchObject({ status: 200, body: { added: 3 } });
    expect((await add(ids)).body).toEqual({ added: 0 });
    expect((await add([])).body).toEqual({ added: 0 });
    expect(await membersOf(id)).toEqual(ids.slice(0, 3));
    expect((await api.get(`/lists/${id}/members?limit=1&offset=1`)).body).toEqual({
      data: [{ contact_id: ids[1], name: 'Con Tact', email: expect.stringContaining('@') }],
      pagination: { total: 3, limit: 1, offset: 1 },
    });
  });

  it.each([
    [{}, 'contact_ids'],
    [{ contact_ids: 1 }, 'contact_ids'],
    [{ contact_ids: null }, 'contact_ids'],
    [{ contact_ids: ['1'] }, 'contact_ids[0]'],
    [{ contact_ids: [1, 2.5] }, 'contact_ids[1]'],
    [{ contact_ids: [0] }, 'contact_ids[0]'],
    [{ contact_ids: Array(10_001).fill(1) }, 'contact_ids: at most 10,000'],
    [{ contact_ids: [1], list_ids: [1] }, 'list_ids'],
  ])('bad input gives 400 naming the field, after 404', async (body, field) => {
    expect(await api.post(`/lists/${await list()}/members`, body)).toMatchObject(refusal(400, 'invalid_request', field));
    expect((await api.post('/lists/999999/members', body)).status).toBe(404);
  });

  it('takes 10,000 contacts at once', async () => {
    const id = await list('Big');
    const rows = await app.db.query<{ id: number }>(sql`
      insert into contacts (workspace_id, email, created_at, updated_at)
      select 1, 'big-' || i || '@example.org', ${app.clock.now()}::timestamptz, ${app.clock.now()}::timestamptz
      from generate_series(1, 10000) i returning id`);
    const answer = await api.post(`/lists/${id}/members`, { contact_ids: rows.map((row) => row.id) });
    expect(answer).toMatchObject({ status: 200, body: { added: 10_000 } });
    expect([await countOf(id), (await api.get(`/lists/${id}/members?limit=1`)).body.pagination.total]).toEqual([10_000, 10_000]);
  });

  it('DELETE answers 204 and takes the contact off this list alone; 404 when it is not on it', async () => {
    const [one, two, [contact = 0]] = [await list(), await list(), await contacts(1)];
    for (const id of [one, two]) await api.post(`/lists/${id}/members`, { contact_ids: [contact] });
    expect(await api.delete(`/lists/${one}/members/${contact}`)).toMatchObject({ status: 204, body: undefined });
    expect([await membersOf(one), await membersOf(two)]).toEqual([[], [contact]]);
    for (const gone of [contact, 999_999])
      expect(await api.delete(`/lists/${one}/members/${gone}`)).toMatchObject(refusal(404, 'not_found'));
  });

  it('contact_count counts live contacts: archived ones are, deleted ones are not, until they come back', async () => {
    const [id, ids] = [await list(), await contacts(3)];
    await api.post(`/lists/${id}/members`, { contact_ids: ids });
    await api.post(`/contacts/${ids[0]}/archive`);
    expect(await countOf(id)).toBe(3);
    await api.delete(`/contacts/${ids[1]}`);
    expect([await countOf(id), await membersOf(id)]).toEqual([2, [ids[0], ids[2]]]);
    await app.db.query(sql`update contacts set deleted_at = null where id = ${ids[1]}`);
    expect([await countOf(id), await membersOf(id)]).toEqual([3, ids]);
    await api.delete(`/lists/${id}/members/${ids[1]}`);
    expect(await countOf(id)).toBe(2);
  });
});

describe('who may see and change lists', () => {
  it('another workspace answers 404, and its contacts cannot be put on ours', async () => {
    const [id, [own = 0]] = [await list(), await contacts(1)];
    await api.post(`/lists/${id}/members`, { contact_ids: [own] });
    const elsewhere = await workspace(app);
    const other = api.as((await member(app, 'admin', { workspaceId: elsewhere })).key);
    for (const answer of [
      await other.get(`/lists/${id}`),
      await other.patch(`/lists/${id}`, { name: 'x' }),
      await other.delete(`/lists/${id}`),
      await other.get(`/lists/${id}/members`),
      await other.post(`/lists/${id}/members`, { contact_ids: [own] }),
      await other.delete(`/lists/${id}/members/${own}`),
    ])
      expect(answer).toMatchObject(refusal(404, 'not_found'));
    expect((await other.get('/lists')).body).toMatchObject({ data: [], pagination: { total: 0 } });
    const foreign = await insertContact(app, { workspace_id: elsewhere });
    expect((await api.post(`/lists/${id}/members`, { contact_ids: [foreign] })).body).toEqual({ added: 0 });
  });

  it('view_only reads; every write answers 403', async () => {
    const id = await list();
    const viewer = api.as((await member(app, 'view_only')).key);
    for (const path of ['/lists', `/lists/${id}`, `/lists/${id}/members`]) expect((await viewer.get(path)).status).toBe(200);
    for (const answer of [
      await viewer.post('/lists', { name: 'x' }),
      await viewer.patch(`/lists/${id}`, { name: '' }),
      await viewer.delete('/lists/999999'),
      await viewer.post(`/lists/${id}/members`, { contact_ids: [1] }),
      await viewer.delete(`/lists/${id}/members/1`),
    ])
      expect(answer).toMatchObject(refusal(403, 'forbidden'));
  });

  it('a hidden member is neither shown nor in the total, though in contact_count, and can be neither added nor taken off', async () => {
    const [id, other, [open = 0, hidden = 0]] = [await list(), await list(), await contacts(2)];
    const manager = await member(app, 'manager');
    const as = api.as(manager.key);
    await api.post(`/lists/${id}/members`, { contact_ids: [open, hidden] });
    await api.patch(`/contacts/${hidden}`, { is_shared_to_all: false });
    expect([await membersOf(id), await membersOf(id, as)]).toEqual([[open, hidden], [open]]);
    expect((await as.get(`/lists/${id}/members`)).body.pagination.total).toBe(1);
    expect([await countOf(id), await countOf(id, as)]).toEqual([2, 2]);
    expect((await as.get('/lists?limit=200')).body.data).toContainEqual(expect.objectContaining({ id, contact_count: 2 }));
    expect((await as.post(`/lists/${other}/members`, { contact_ids: [open, hidden] })).body).toEqual({ added: 1 });
    expect(await as.delete(`/lists/${id}/members/${hidden}`)).toMatchObject(refusal(404, 'not_found'));
    await api.post(`/contacts/${hidden}/shares`, { user_id: manager.id });
    expect((await as.get(`/lists/${id}/members`)).body).toMatchObject({ data: [{}, {}], pagination: { total: 2 } });
  });

  it('every change is in the history', async () => {
    const [id, [contact]] = [await list(), await contacts(1)];
    await api.patch(`/lists/${id}`, { name: 'Renamed' });
    await api.post(`/lists/${id}/members`, { contact_ids: [contact] });
    await api.post(`/lists/${id}/members`, { contact_ids: [contact] });
    await api.delete(`/lists/${id}/members/${contact}`);
    await api.delete(`/lists/${id}`);
    const rows = await app.db.query(sql`
      select action, changes from audit_log where resource_type = 'list' and resource_id = ${id} order by id`);
    expect(rows).toEqual([
      { action: 'list.create', changes: { name: 'A list' } },
      { action: 'list.update', changes: { name: ['A list', 'Renamed'] } },
      { action: 'list.add_members', changes: { contact_ids: [contact] } },
      { action: 'list.remove_member', changes: { contact_id: contact } },
      { action: 'list.delete', changes: { name: 'Renamed' } },
    ]);
  });
});
