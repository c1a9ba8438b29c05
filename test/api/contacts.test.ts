import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../../src/daemon.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';

let installation: TestInstallation;
let daemon: Daemon;
let api: ApiClient;

beforeAll(async () => {
  installation = await testInstallation();
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
});
afterAll(() => daemon?.stop());

let made = 0;
const contact = async (over: Record<string, unknown> = {}) =>
  (await api.post('/contacts', { email: `c${made++}@example.org`, ...over })).body;

describe('Contacts', () => {
  it('POST answers 201 with exactly the fields of a contact', async () => {
    const { status, body } = await api.post('/contacts', { email: ' Ada@Example.org ', name: 'Ada', company: 'Engines' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Ada',
      email: 'Ada@Example.org',
      company: 'Engines',
      custom_fields: {},
      is_archived: false,
      is_shared_to_all: true,
      created_at: '2026-07-07 12:00:00',
      updated_at: '2026-07-07 12:00:00',
    });
    expect((await api.get(`/contacts/${body.id}`)).body).toEqual(body);
  });

  it('409 when a live contact has that email, in any case; a deleted one frees the address', async () => {
    const { id } = await contact({ email: 'taken@example.org' });
    const again = await api.post('/contacts', { email: 'TAKEN@example.org' });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    await api.post(`/contacts/${id}/archive`);
    expect((await api.post('/contacts', { email: 'taken@example.org' })).status).toBe(409);
    expect((await api.delete(`/contacts/${id}`)).status).toBe(204);
    expect((await api.post('/contacts', { email: 'taken@example.org' })).status).toBe(201);
  });

  it.each([
    [{}, 'email'],
    [{ email: 'no address' }, 'email'],
    [{ email: 'a@b.example, c@d.example' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: 'x@example.org', name: 'a\r\nBcc: b' }, 'name'],
    [{ email: 'x@example.org', name: 'n'.repeat(256) }, 'name'],
    [{ email: 'x@example.org', company: false }, 'company'],
    [{ email: 'x@example.org', list_ids: ['1'] }, 'list_ids'],
    [{ email: 'x@example.org', list_ids: [999_999] }, 'list_ids'],
    [{ email: 'x@example.org', custom_fields: { nothing: 'x' } }, 'custom_fields'],
    [{ email: 'x@example.org', nonsense: 1 }, 'nonsense'],
  ])('bad input %j gives 400 naming %s and makes nothing', async (body, field) => {
    const before = (await api.get('/contacts')).body.pagination.total;
    const answer = await api.post('/contacts', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', message: expect.stringContaining(field) } } });
    expect((await api.get('/contacts')).body.pagination.total).toBe(before);
  });

  it('PATCH changes only the included fields; read-only ones are ignored', async () => {
    const before = await contact({ name: 'Bob', company: 'X' });
    installation.clock.advance(60_000);
    const { status, body } = await api.patch(`/contacts/${before.id}`, { ...before, company: null });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, company: null, updated_at: body.updated_at });
    expect(body.updated_at > before.updated_at).toBe(true);
  });

  it('custom_fields replaces the whole object; values of a deleted field are hidden, not erased', async () => {
    const colour = (await api.post('/custom-fields', { name: 'Colour' })).body;
    const size = (await api.post('/custom-fields', { name: 'Size', field_type: 'number' })).body;
    const { id } = await contact({ custom_fields: { colour: 'red', size: 7 } });
    expect((await api.get(`/contacts/${id}`)).body.custom_fields).toEqual({ colour: 'red', size: '7' });
    await api.delete(`/custom-fields/${size.id}`);
    expect((await api.get(`/contacts/${id}`)).body.custom_fields).toEqual({ colour: 'red' });
    expect((await api.patch(`/contacts/${id}`, { custom_fields: {} })).body.custom_fields).toEqual({});
    const { rows } = await installation.app.db.pool.query('select custom_fields from contacts where id = $1', [id]);
    expect(rows[0].custom_fields).toEqual({ size: '7' });
    expect((await api.patch(`/contacts/${id}`, { custom_fields: { size: 8 } })).status).toBe(400);
    await api.delete(`/custom-fields/${colour.id}`);
  });

  it('archive and unarchive answer the contact, twice as well, and move it between the lists', async () => {
    const { id, email } = await contact();
    for (const _ of [1, 2]) expect((await api.post(`/contacts/${id}/archive`)).body).toMatchObject({ id, is_archived: true });
    const archived = (await api.get('/contacts?archived=true&limit=200')).body.data as { email: string }[];
    expect(archived.map((row) => row.email)).toContain(email);
    for (const _ of [1, 2]) expect((await api.post(`/contacts/${id}/unarchive`)).body).toMatchObject({ id, is_archived: false });
  });

  it('q matches name, email and company in any case, % and _ stand for themselves', async () => {
    await contact({ name: 'Zaphod 100%', company: 'Heart_of_Gold' });
    await contact({ name: 'Zaphod 1000' });
    const names = async (q: string) =>
      ((await api.get(`/contacts?q=${encodeURIComponent(q)}`)).body.data as { name: string }[]).map((row) => row.name);
    expect(await names('ZAPHOD')).toHaveLength(2);
    expect(await names('100%')).toEqual(['Zaphod 100%']);
    expect(await names('heart_of')).toEqual(['Zaphod 100%']);
    expect(await names('zaphod 1000 c')).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=5x',
    'limit=',
    'offset=-1',
    'archived=yes',
    'list_id=x',
    'nonsense=1',
    'limit=1&limit=2',
  ])('a bad query parameter gives 400: %s', async (query) => {
    expect(await api.get(`/contacts?${query}`)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  });

  it('pages by id: limit and offset walk through everything exactly once, and the total is exact', async () => {
    const total = (await api.get('/contacts')).body.pagination.total as number;
    const seen: number[] = [];
    for (let offset = 0; offset < total; offset += 3) {
      const page = (await api.get(`/contacts?limit=3&offset=${offset}`)).body;
      expect(page.pagination).toEqual({ total, limit: 3, offset });
      seen.push(...page.data.map((row: { id: number }) => row.id));
    }
    expect(seen).toHaveLength(total);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect((await api.get('/contacts?offset=999999')).body.data).toEqual([]);
  });

  it('a missing contact, and an id that can be none, give 404', async () => {
    for (const id of ['999999', '0', 'abc', '99999999999']) expect((await api.get(`/contacts/${id}`)).body.error.code).toBe('not_found');
  });
});

describe('Lists', () => {
  it('count their live contacts, keep members when deleted, and rename', async () => {
    const { body: list } = await api.post('/lists', { name: 'Friends' });
    expect(list).toEqual({ id: expect.any(Number), name: 'Friends', contact_count: 0, created_at: expect.any(String), updated_at: null });
    const ids = [await contact(), await contact(), await contact()].map((row) => row.id);
    expect((await api.post(`/lists/${list.id}/members`, { contact_ids: [...ids, ids[0], 999_999] })).body).toEqual({ added: 3 });
    expect((await api.post(`/lists/${list.id}/members`, { contact_ids: ids })).body).toEqual({ added: 0 });
    expect((await api.delete(`/contacts/${ids[0]}`)).status).toBe(204);
    expect((await api.get(`/lists/${list.id}`)).body.contact_count).toBe(2);
    const members = (await api.get(`/lists/${list.id}/members`)).body;
    expect(members.pagination.total).toBe(2);
    expect(members.data[0]).toEqual({ contact_id: ids[1], name: '', email: expect.any(String) });
    expect((await api.get(`/contacts?list_id=${list.id}`)).body.pagination.total).toBe(2);
    expect((await api.delete(`/lists/${list.id}/members/${ids[1]}`)).status).toBe(204);
    expect((await api.delete(`/lists/${list.id}/members/${ids[1]}`)).status).toBe(404);
    expect((await api.patch(`/lists/${list.id}`, { name: 'Pals' })).body).toMatchObject({
      name: 'Pals',
      contact_count: 1,
      updated_at: expect.any(String),
    });
    expect((await api.delete(`/lists/${list.id}`)).status).toBe(204);
    expect((await api.get(`/lists/${list.id}`)).status).toBe(404);
    expect((await api.get(`/contacts/${ids[2]}`)).status).toBe(200);
  });
});

describe('Custom fields', () => {
  it('get a key from the name as a slug, made unique, never used again', async () => {
    const keys: string[] = [];
    for (const name of ['Größe in cm', 'Größe in cm', '!!!', 'email']) keys.push((await api.post('/custom-fields', { name })).body.key);
    expect(keys).toEqual(['grosse_in_cm', 'grosse_in_cm_2', 'field', 'email_2']);
    const all = (await api.get('/custom-fields')).body.data as { id: number; key: string }[];
    const first = all.find((field) => field.key === 'field');
    await api.delete(`/custom-fields/${first?.id}`);
    expect((await api.post('/custom-fields', { name: '???' })).body.key).toBe('field_2');
  });
});

describe('Suppressions', () => {
  it('adding twice answers 201 with the first reason; removed and added again revives it with the new one', async () => {
    const first = await api.post('/suppressions', { email: 'No@example.org', reason: 'asked' });
    expect(first).toMatchObject({ status: 201, body: { email: 'No@example.org', reason: 'asked' } });
    expect(Object.keys(first.body).sort()).toEqual(['created_at', 'email', 'id', 'reason']);
    expect(await api.post('/suppressions', { email: 'no@example.org', reason: 'other' })).toMatchObject({
      status: 201,
      body: { reason: 'asked', id: first.body.id },
    });
    expect((await api.delete('/suppressions', { email: 'NO@example.org' })).status).toBe(204);
    expect((await api.delete('/suppressions', { email: 'no@example.org' })).status).toBe(404);
    expect((await api.post('/suppressions', { email: 'no@example.org', reason: 'again' })).body.reason).toBe('again');
    expect((await api.get('/suppressions')).body.pagination.total).toBe(1);
  });
});
