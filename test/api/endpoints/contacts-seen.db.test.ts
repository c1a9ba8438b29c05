import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { member, workspace } from '../../support/people.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

type Body = Record<string, unknown> & { id: number; email: string };

let app: App;
let api: ApiClient;

beforeAll(async () => {
  ({ app, api } = await servedInstallation());
});

let made = 0;
const freshEmail = () => `c${made++}@example.org`;
const contact = async (over: Record<string, unknown> = {}, as = api): Promise<Body> =>
  (await as.post('/contacts', { email: freshEmail(), ...over })).body;
const totalOf = async (as: ApiClient, query = '') => (await as.get(`/contacts?limit=1${query}`)).body.pagination.total as number;
const idsOf = async (as: ApiClient, query = '') => ((await as.get(`/contacts?limit=200${query}`)).body.data as Body[]).map((row) => row.id);

describe('GET /contacts', () => {
  it('q matches name, email and company in any case; % _ and the backslash stand for themselves', async () => {
    await contact({ name: 'Zaphod 100%', company: 'Heart_of_Gold' });
    await contact({ name: 'Zaphod 1000', company: 'Heart-of-Gold' });
    await contact({ name: 'ÄRGER \\ Ömer', email: 'm@zaphod.example' });
    const names = async (q: string) =>
      ((await api.get(`/contacts?q=${encodeURIComponent(q)}`)).body.data as { name: string }[]).map((row) => row.name);
    expect(await names('ZAPHOD')).toEqual(['Zaphod 100%', 'Zaphod 1000', 'ÄRGER \\ Ömer']);
    expect(await names('100%')).toEqual(['Zaphod 100%']);
    expect(await names('heart_of')).toEqual(['Zaphod 100%']);
    expect(await names('ärger \\ ö')).toEqual(['ÄRGER \\ Ömer']);
    expect(await names("'; drop table contacts; --")).toEqual([]);
  });

  it('q does not match across the border of two fields', async () => {
    const { email } = await contact({ name: 'Trillian', company: 'Astra' });
    for (const q of [`trillian ${email}`, `n ${email.slice(0, 2)}`, 'example.org astra'])
      expect((await api.get(`/contacts?q=${encodeURIComponent(q)}`)).body.pagination.total).toBe(0);
  });

  it('an empty q filters nothing', async () => {
    expect(await totalOf(api, '&q=')).toBe(await totalOf(api));
  });

  it.each([
    ...['limit=0', 'limit=201', 'limit=5x', 'limit=', 'limit=-1', 'limit=1.5', 'limit=1&limit=2', 'offset=-1', 'offset=x'],
    ...['archived=yes', 'archived=', 'archived=1', 'list_id=x', 'list_id=0', 'list_id=99999999999', 'nonsense=1', `q=${'x'.repeat(256)}`],
  ])('a bad query parameter gives 400: %s', async (query) => {
    expect(await api.get(`/contacts?${query}`)).toMatchObject(refusal(400, 'invalid_request', query.split('=')[0]));
  });

  it('list_id, q and archived narrow together; a list that is none has nobody', async () => {
    const list = (await api.post('/lists', { name: 'Crew' })).body.id as number;
    const [one, two] = [await contact({ name: 'Arthur', list_ids: [list] }), await contact({ name: 'Ford', list_ids: [list] })];
    const outside = await contact({ name: 'Arthur' });
    expect(await idsOf(api, `&list_id=${list}`)).toEqual([one.id, two.id]);
    expect(await idsOf(api, `&list_id=${list}&q=arthur`)).toEqual([one.id]);
    expect(await idsOf(api, '&q=arthur')).toEqual([one.id, outside.id]);
    await api.post(`/contacts/${one.id}/archive`);
    expect(await idsOf(api, `&list_id=${list}`)).toEqual([two.id]);
    expect(await idsOf(api, `&list_id=${list}&archived=true`)).toEqual([one.id]);
    await api.delete(`/lists/${list}`);
    for (const gone of [list, 999_999]) expect(await totalOf(api, `&list_id=${gone}`)).toBe(0);
  });

  it('pages by id: limit and offset walk through everything exactly once, and the total is exact', async () => {
    await Promise.all(Array.from({ length: 20 }, () => contact()));
    const total = await totalOf(api);
    const seen: number[] = [];
    for (let offset = 0; offset < total; offset += 7) {
      const page = (await api.get(`/contacts?limit=7&offset=${offset}`)).body;
      expect(page.pagination).toEqual({ total, limit: 7, offset });
      seen.push(...page.data.map((row: Body) => row.id));
    }
    expect(seen).toHaveLength(total);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect((await api.get('/contacts?offset=999999')).body).toMatchObject({ data: [], pagination: { total, limit: 50, offset: 999_999 } });
  });

  it('an id that can be none gives 404', async () => {
    for (const id of ['999999', '0', '-1', 'abc', '1.5', '99999999999'])
      expect(await api.get(`/contacts/${id}`)).toMatchObject(refusal(404, 'not_found'));
  });
});

describe('who may see and change a contact', () => {
  it('another workspace answers 404 to everything, and may have the same address', async () => {
    const own = await contact();
    const other = api.as((await member(app, 'admin', { workspaceId: await workspace(app) })).key);
    for (const answer of [
      await other.get(`/contacts/${own.id}`),
      await other.patch(`/contacts/${own.id}`, { name: 'x' }),
      await other.patch(`/contacts/${own.id}`, { name: 7 }),
      await other.post(`/contacts/${own.id}/archive`),
      await other.post(`/contacts/${own.id}/unarchive`),
      await other.delete(`/contacts/${own.id}`),
    ])
      expect(answer).toMatchObject(refusal(404, 'not_found'));
    expect((await other.get('/contacts')).body).toMatchObject({ data: [], pagination: { total: 0 } });
    await contact({ email: own.email }, other);
    expect([await totalOf(other), await totalOf(other, `&q=${own.email}`)]).toEqual([1, 1]);
    const list = (await api.post('/lists', { name: 'ours' })).body.id;
    expect(await other.post('/contacts', { email: freshEmail(), list_ids: [list] })).toMatchObject(refusal(400, 'invalid_request'));
    expect((await api.get(`/contacts/${own.id}`)).body).toEqual(own);
  });

  it('view_only reads; every write answers 403, before 404 and 400', async () => {
    const own = await contact();
    const viewer = api.as((await member(app, 'view_only')).key);
    expect((await viewer.get(`/contacts/${own.id}`)).status).toBe(200);
    expect((await viewer.get('/contacts')).status).toBe(200);
    for (const answer of [
      await viewer.post('/contacts', { email: 'nobody' }),
      await viewer.patch(`/contacts/${own.id}`, { name: 'x' }),
      await viewer.patch('/contacts/999999', { name: 7 }),
      await viewer.post(`/contacts/${own.id}/archive`),
      await viewer.post(`/contacts/${own.id}/unarchive`),
      await viewer.delete(`/contacts/${own.id}`),
    ])
      expect(answer).toMatchObject(refusal(403, 'forbidden'));
  });

  it('a contact that is not shared is there for its creator, admins and listed people, in lists and totals too', async () => {
    const [owner, friend, stranger] = await Promise.all(['manager', 'manager', 'manager'].map(() => member(app, 'manager')));
    const as = (person?: { key: string }) => api.as(person?.key ?? null);
    const { id, email } = await contact({ name: 'Secretive' }, as(owner));
    const everyone = [api, as(owner), as(friend), as(stranger)];
    const before = await Promise.all(everyone.map((who) => totalOf(who)));
    expect(await as(owner).patch(`/contacts/${id}`, { is_shared_to_all: false })).toMatchObject({
      status: 200,
      body: { is_shared_to_all: false },
    });
    await as(owner).post(`/contacts/${id}/shares`, { user_id: friend?.id });
    const sees = await Promise.all(everyone.map(async (who) => (await who.get(`/contacts/${id}`)).status));
    expect(sees).toEqual([200, 200, 200, 404]);
    const after = await Promise.all(everyone.map((who) => totalOf(who)));
    expect(after.map((total, index) => total - (before[index] ?? 0))).toEqual([0, 0, 0, -1]);
    expect(await Promise.all(everyone.map((who) => totalOf(who, `&q=${email}`)))).toEqual([1, 1, 1, 0]);
    for (const answer of [
      await as(stranger).patch(`/contacts/${id}`, { name: 'x' }),
      await as(stranger).patch(`/contacts/${id}`, { name: 7 }),
      await as(stranger).post(`/contacts/${id}/archive`),
      await as(stranger).delete(`/contacts/${id}`),
    ])
      expect(answer).toMatchObject(refusal(404, 'not_found'));
    await as(friend).post(`/contacts/${id}/archive`);
    const archived = await Promise.all(everyone.map((who) => idsOf(who, '&archived=true')));
    expect(archived.map((ids) => ids.includes(id))).toEqual([true, true, true, false]);
  });

  it('is_shared_to_all is set by its creator or an admin alone: 404 for anyone else, and nothing else of the patch is done', async () => {
    const own = await contact({ name: 'Before' });
    const manager = api.as((await member(app, 'manager')).key);
    expect(await manager.patch(`/contacts/${own.id}`, { name: 'After', is_shared_to_all: false })).toMatchObject(refusal(404, 'not_found'));
    expect(await manager.patch(`/contacts/${own.id}`, { email: 'nobody', is_shared_to_all: false })).toMatchObject(
      refusal(404, 'not_found'),
    );
    expect((await api.get(`/contacts/${own.id}`)).body).toEqual(own);
    expect((await manager.patch(`/contacts/${own.id}`, { ...own, name: 'After' })).body).toMatchObject({ name: 'After' });
    expect((await api.patch(`/contacts/${own.id}`, { is_shared_to_all: false })).body.is_shared_to_all).toBe(false);
    expect((await manager.get(`/contacts/${own.id}`)).status).toBe(404);
  });

  it('an address held by a hidden contact gives the same 409 as any other', async () => {
    const hidden = await contact({ name: 'Hush' });
    const seen = await contact();
    await api.patch(`/contacts/${hidden.id}`, { is_shared_to_all: false });
    const manager = api.as((await member(app, 'manager')).key);
    const [a, b] = [await manager.post('/contacts', { email: hidden.email }), await manager.post('/contacts', { email: seen.email })];
    expect(a).toMatchObject(refusal(409, 'conflict'));
    expect(a.body.error.message).toBe(b.body.error.message.replace(seen.email, hidden.email));
  });
});
