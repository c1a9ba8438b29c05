import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { runImport } from '../../../src/contacts/import-jobs/index.ts';
import type { ManualClock } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

type Body = Record<string, unknown> & { id: number; email: string };

let app: App;
let clock: ManualClock;
let api: ApiClient;

beforeAll(async () => {
  ({ app, clock, api } = await servedInstallation());
});

let made = 0;
const freshEmail = () => `c${made++}@example.org`;
const contact = async (over: Record<string, unknown> = {}): Promise<Body> => {
  const { status, body } = await api.post('/contacts', { email: freshEmail(), ...over });
  expect(status).toBe(201);
  return body;
};
const totalOf = async (query = '') => (await api.get(`/contacts?limit=1${query}`)).body.pagination.total as number;
const idsOf = async (query = '') => ((await api.get(`/contacts?limit=200${query}`)).body.data as Body[]).map((row) => row.id);

describe('POST /contacts', () => {
  it('answers 201 with exactly the fields of a contact', async () => {
    const { status, body } = await api.post('/contacts', { email: ' Ada@Example.org ', name: ' Ada ', company: 'Engines' });
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
    expect(await api.get(`/contacts/${body.id}`)).toMatchObject({ status: 200, body });
  });

  it('needs the email alone; the rest is empty', async () => {
    expect(await contact()).toMatchObject({ name: '', company: null, custom_fields: {}, is_shared_to_all: true });
    expect(await contact({ name: '', company: '' })).toMatchObject({ name: '', company: null });
  });

  it('puts the contact on the lists of list_ids, on each once', async () => {
    const lists = await Promise.all(['one', 'two'].map(async (name) => (await api.post('/lists', { name })).body.id as number));
    const { id } = await contact({ list_ids: [...lists, lists[0]] });
    for (const list of lists)
      expect((await api.get(`/lists/${list}/members`)).body.data).toEqual([expect.objectContaining({ contact_id: id })]);
  });

  it('409 when a live contact has that email, in any case; an archived one counts, a deleted one frees the address', async () => {
    const { id } = await contact({ email: 'taken@example.org' });
    expect(await api.post('/contacts', { email: 'TAKEN@example.org' })).toMatchObject(refusal(409, 'conflict', 'email'));
    await api.post(`/contacts/${id}/archive`);
    expect((await api.post('/contacts', { email: 'taken@example.org' })).status).toBe(409);
    expect((await api.delete(`/contacts/${id}`)).status).toBe(204);
    expect((await api.post('/contacts', { email: 'taken@example.org' })).status).toBe(201);
  });

  it('ten at once with one address: one 201, nine 409', async () => {
    const email = freshEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/contacts', { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it.each([
    [{}, 'email'],
    [{ email: null }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: '' }, 'email'],
    [{ email: 'no address' }, 'email'],
    [{ email: 'a@b.example, c@d.example' }, 'email'],
    [{ email: 'Ada <ada@example.org>' }, 'email'],
    [{ email: 'x@example.org\r\nBcc: y@example.org' }, 'email'],
    [{ email: `${'l'.repeat(65)}@example.org` }, '64'],
    [{ email: `x@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(15)}` }, '254'],
    [{ email: 'x@example.org', name: null }, 'name'],
    [{ email: 'x@example.org', name: 5 }, 'name'],
    [{ email: 'x@example.org', name: 'a\r\nBcc: b' }, 'name'],
    [{ email: 'x@example.org', name: 'n'.repeat(256) }, 'name: at most 255'],
    [{ email: 'x@example.org', company: false }, 'company'],
    [{ email: 'x@example.org', company: 'c'.repeat(256) }, 'company: at most 255'],
    [{ email: 'x@example.org', list_ids: '1' }, 'list_ids'],
    [{ email: 'x@example.org', list_ids: ['1'] }, 'list_ids'],
    [{ email: 'x@example.org', list_ids: [1.5] }, 'list_ids'],
    [{ email: 'x@example.org', list_ids: [999_999] }, 'list_ids'],
    [{ email: 'x@example.org', list_ids: Array(101).fill(1) }, 'list_ids: at most 100'],
    [{ email: 'x@example.org', custom_fields: { nothing: 'x' } }, 'custom_fields'],
    [{ email: 'x@example.org', is_shared_to_all: 'false' }, 'is_shared_to_all: must be true or false'],
    [{ email: 'x@example.org', custom_fields: [] }, 'custom_fields'],
    [{ email: 'x@example.org', custom_fields: null }, 'custom_fields'],
    [{ email: 'x@example.org', nonsense: 1 }, 'nonsense'],
  ])('bad input %j gives 400 naming %s and makes nothing', async (body, field) => {
    const before = await totalOf();
    expect(await api.post('/contacts', body)).toMatchObject(refusal(400, 'invalid_request', field));
    expect(await totalOf()).toBe(before);
  });

  it('takes the longest that is allowed', async () => {
    const body = { email: `${'l'.repeat(64)}@${'d'.repeat(63)}.example.org`, name: 'ñ'.repeat(255), company: '株'.repeat(255) };
    expect(await contact(body)).toMatchObject(body);
  });
});

describe('PATCH /contacts/{id}', () => {
  it('changes only the included fields; what GET gave can be sent back', async () => {
    const before = await contact({ name: 'Bob', company: 'X' });
    clock.advance(60_000);
    const { status, body } = await api.patch(`/contacts/${before.id}`, { ...before, company: null });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, company: null, updated_at: '2026-07-07 12:01:00' });
    clock.advance(60_000);
    expect((await api.patch(`/contacts/${before.id}`, {})).body).toEqual(body);
    expect((await api.patch(`/contacts/${before.id}`, { name: 'Rob' })).body).toMatchObject({ name: 'Rob', email: before.email });
  });

  it('409 for the address of another live contact; its own in other letters is none', async () => {
    const [one, two] = [await contact(), await contact()];
    expect(await api.patch(`/contacts/${one.id}`, { email: two.email.toUpperCase() })).toMatchObject(refusal(409, 'conflict'));
    expect(await api.patch(`/contacts/${one.id}`, { email: one.email.toUpperCase() })).toMatchObject({
      status: 200,
      body: { email: one.email.toUpperCase() },
    });
  });

  it.each([
    [{ email: null }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ name: null }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ company: 1 }, 'company'],
    [{ custom_fields: 'x' }, 'custom_fields'],
    [{ custom_fields: { nothing: 1 } }, 'custom_fields'],
    [{ is_shared_to_all: 'false' }, 'is_shared_to_all'],
    [{ is_shared_to_all: 0 }, 'is_shared_to_all'],
    [{ is_shared_to_all: null }, 'is_shared_to_all'],
    [{ list_ids: [1] }, 'list_ids'],
    [{ nonsense: true }, 'nonsense'],
  ])('%j gives 400 naming %s and changes nothing', async (patch, field) => {
    const before = await contact({ name: 'Still' });
    expect(await api.patch(`/contacts/${before.id}`, { company: 'New', ...patch })).toMatchObject(refusal(400, 'invalid_request', field));
    expect((await api.get(`/contacts/${before.id}`)).body).toEqual(before);
  });

  it('404 comes before 400, 400 before 409', async () => {
    const [one, two] = [await contact(), await contact()];
    expect((await api.patch('/contacts/999999', { email: 7 })).status).toBe(404);
    expect((await api.patch('/contacts/999999', '{broken')).status).toBe(404);
    expect((await api.patch(`/contacts/${one.id}`, { email: two.email, company: 7 })).status).toBe(400);
    expect((await api.patch(`/contacts/${one.id}`, { email: two.email, custom_fields: { nothing: 1 } })).status).toBe(400);
  });
});

describe('archive, unarchive and delete', () => {
  it('archive and unarchive answer 200 with the contact, twice as well, and move it between the lists', async () => {
    const { id } = await contact();
    for (const _ of [1, 2])
      expect(await api.post(`/contacts/${id}/archive`)).toMatchObject({ status: 200, body: { id, is_archived: true } });
    expect([(await idsOf()).includes(id), (await idsOf('&archived=true')).includes(id)]).toEqual([false, true]);
    for (const _ of [1, 2])
      expect(await api.post(`/contacts/${id}/unarchive`)).toMatchObject({ status: 200, body: { id, is_archived: false } });
    expect([(await idsOf()).includes(id), (await idsOf('&archived=true')).includes(id)]).toEqual([true, false]);
  });

  it('a deleted contact is gone everywhere', async () => {
    const { id } = await contact();
    const total = await totalOf();
    expect(await api.delete(`/contacts/${id}`)).toMatchObject({ status: 204, body: undefined });
    for (const answer of [
      await api.get(`/contacts/${id}`),
      await api.patch(`/contacts/${id}`, { name: 'x' }),
      await api.post(`/contacts/${id}/archive`),
      await api.post(`/contacts/${id}/unarchive`),
      await api.delete(`/contacts/${id}`),
      await api.get(`/contacts/${id}/shares`),
    ])
      expect(answer).toMatchObject(refusal(404, 'not_found'));
    expect([await totalOf(), (await idsOf()).includes(id)]).toEqual([total - 1, false]);
  });

  it('every change is in the history with who did it and from where, and what changes nothing is not', async () => {
    const { id } = await contact();
    await api.patch(`/contacts/${id}`, { name: 'New' });
    await api.patch(`/contacts/${id}`, { name: 'New' });
    for (const step of ['archive', 'archive', 'unarchive']) await api.post(`/contacts/${id}/${step}`);
    await api.delete(`/contacts/${id}`);
    const rows = await app.db.query(sql`
      select action, user_id, host(ip::inet) as ip from audit_log where resource_type = 'contact' and resource_id = ${id} order by id`);
    const by = { user_id: 1, ip: expect.stringMatching(/^127\.0\.0\.1$|^::/) };
    expect(rows).toEqual(
      ['create', 'update', 'archive', 'unarchive', 'delete'].map((verb) => expect.objectContaining({ action: `contact.${verb}`, ...by })),
    );
  });
});

describe('a name that was stored decomposed, as macOS writes it, is found by its composed spelling', () => {
  const [composed, decomposed] = ['Zoë Brontë', 'Zoë Brontë'.normalize('NFD')];

  it.each([
    ['of the API', async () => (await contact({ name: decomposed, custom_fields: {} })).id],
    [
      'of a file',
      async () => {
        const email = freshEmail();
        const form = new FormData();
        form.append('file', new Blob([`email,name\n${email},${decomposed}\n`]), 'people.csv');
        const { body } = await api.post('/imports', form);
        await runImport(app, body.id, new AbortController().signal);
        return ((await api.get(`/contacts?email=${email}`)).body.data as Body[])[0]?.id ?? 0;
      },
    ],
  ])('%s', async (_, made) => {
    const id = await made();
    for (const spelling of [composed, decomposed]) {
      expect(await idsOf(`&q=${encodeURIComponent(spelling)}`)).toContain(id);
      const search = await api.get(`/contacts/search?q=${encodeURIComponent(`name:"${spelling}"`)}`);
      expect((search.body.data as Body[]).map((found) => found.id)).toContain(id);
    }
    expect((await api.get(`/contacts/${id}`)).body.name).toBe(composed);
  });
});
