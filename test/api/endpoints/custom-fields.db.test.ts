import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { sql } from '../../../src/db/statement.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { member, workspace } from '../../support/people.ts';
import { rowOf } from '../../support/rows.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

let app: App;
let api: ApiClient;

beforeAll(async () => {
  ({ app, api } = await servedInstallation());
});

interface Field {
  id: number;
  key: string;
}
const field = async (name: string, field_type?: string, as = api): Promise<Field> =>
  (await as.post('/custom-fields', { name, field_type })).body;

let made = 0;
const contact = async (custom_fields: Record<string, unknown>) =>
  (await api.post('/contacts', { email: `c${made++}@example.org`, custom_fields })).body;

describe('Custom fields', () => {
  it('POST answers 201 with exactly the fields of a custom field; the type is text unless told', async () => {
    const { status, body } = await api.post('/custom-fields', { name: ' Favourite colour ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Favourite colour',
      key: 'favourite_colour',
      field_type: 'text',
      created_at: '2026-07-07 12:00:00',
    });
    expect((await api.get('/custom-fields')).body).toEqual({ data: [body] });
  });

  it('the key is a slug of the name, made unique', async () => {
    const keys: string[] = [];
    for (const name of ['Größe in cm', 'GRÖSSE in cm', 'groesse   in-cm!', '会社', '!!!', 'email', 'Name'])
      keys.push((await field(name)).key);
    expect(keys).toEqual(['groesse_in_cm', 'groesse_in_cm_2', 'groesse_in_cm_3', 'field', 'field_2', 'email_2', 'name_2']);
  });

  it('a key is at most 64 characters, its number included', async () => {
    const [one, two] = [await field('k'.repeat(255)), await field('k'.repeat(254))];
    expect([one.key, two.key]).toEqual(['k'.repeat(64), `${'k'.repeat(62)}_2`]);
  });

  it('the key of a deleted field is never given again, since its values are only hidden', async () => {
    const old = await field('Shoe size');
    const { id } = await contact({ [old.key]: '44' });
    expect(await api.delete(`/custom-fields/${old.id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await field('Shoe size')).key).toBe('shoe_size_2');
    expect((await api.get(`/contacts/${id}`)).body.custom_fields).toEqual({});
  });

  it('the key is "generated from the name as a slug and made unique automatically": ten of one name at once get ten keys', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/custom-fields', { name: 'At once' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const keys = answers.map(({ body }) => body.key).sort();
    expect(keys).toEqual(['at_once', 'at_once_10', ...Array.from({ length: 8 }, (_, index) => `at_once_${index + 2}`)].sort());
  });

  it('ten whose names have one slug get ten keys at once', async () => {
    const fields = await Promise.all(Array.from({ length: 10 }, (_, index) => field(`One slug${'!'.repeat(index)}`)));
    expect(new Set(fields.map(({ key }) => key)).size).toBe(10);
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'x', field_type: 'colour' }, 'field_type'],
    [{ name: 'x', field_type: null }, 'field_type'],
    [{ name: 'x', type: 'text' }, 'type'],
  ])('bad input %j gives 400 naming %s', async (body, name) => {
    expect(await api.post('/custom-fields', body)).toMatchObject(refusal(400, 'invalid_request', name));
  });

  it('at most 200 live fields in a workspace, else 400', async () => {
    const workspaceId = await workspace(app);
    const other = api.as((await member(app, 'admin', { workspaceId })).key);
    await app.db.query(sql`
      insert into custom_fields (workspace_id, name, key, field_type, created_at)
      select ${workspaceId}::int, 'F', 'f' || i, 'text', ${app.clock.now()}::timestamptz from generate_series(1, 199) i`);
    const last = await field('The last', 'text', other);
    expect(await other.post('/custom-fields', { name: 'One more' })).toMatchObject(refusal(400, 'invalid_request', 'at most 200'));
    await other.delete(`/custom-fields/${last.id}`);
    expect((await other.post('/custom-fields', { name: 'One more' })).status).toBe(201);
  });

  it('another workspace neither sees nor deletes nor uses them', async () => {
    const own = await field('Ours');
    const other = api.as((await member(app, 'admin', { workspaceId: await workspace(app) })).key);
    expect((await other.get('/custom-fields')).body).toEqual({ data: [] });
    expect(await other.delete(`/custom-fields/${own.id}`)).toMatchObject(refusal(404, 'not_found'));
    expect(await other.post('/contacts', { email: 'o@example.org', custom_fields: { [own.key]: 'x' } })).toMatchObject(
      refusal(400, 'invalid_request', own.key),
    );
    expect((await field('Ours', 'text', other)).key).toBe(own.key);
  });

  it('view_only reads; every write answers 403', async () => {
    const own = await field('Readable');
    const viewer = api.as((await member(app, 'view_only')).key);
    expect((await viewer.get('/custom-fields')).status).toBe(200);
    expect(await viewer.post('/custom-fields', {})).toMatchObject(refusal(403, 'forbidden'));
    expect(await viewer.delete(`/custom-fields/${own.id}`)).toMatchObject(refusal(403, 'forbidden'));
  });

  it('deleting twice gives 404; both changes are in the history once', async () => {
    const { id } = await field('Short-lived');
    await api.delete(`/custom-fields/${id}`);
    for (const gone of [id, 999_999]) expect(await api.delete(`/custom-fields/${gone}`)).toMatchObject(refusal(404, 'not_found'));
    const rows = await app.db.query(sql`
      select action from audit_log where resource_type = 'custom_field' and resource_id = ${id} order by id`);
    expect(rows).toEqual([{ action: 'custom_field.create' }, { action: 'custom_field.delete' }]);
  });
});

describe('Values on a contact', () => {
  let keys: Record<string, string>;
  beforeAll(async () => {
    const types = ['text', 'number', 'email', 'phone', 'url', 'date', 'datetime', 'boolean'];
    keys = Object.fromEntries(await Promise.all(types.map(async (type) => [type, (await field(`A ${type}`, type)).key])));
  });
  const keyed = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([type, value]) => [keys[type] ?? type, value]));

  it('are validated against the type and shown as strings, on create and on update', async () => {
    const given = { text: 'x', number: 7.5, email: 'a@b.example', phone: '+49 30 1', url: 'b.example/x', date: '2026-02-28' };
    const more = { datetime: '2026-02-28T09:00:00+01:00', boolean: true };
    const shown = keyed({ ...given, ...more, number: '7.5', url: 'https://b.example/x', boolean: 'true' });
    const { id, custom_fields } = await contact(keyed({ ...given, ...more }));
    expect(custom_fields).toEqual(shown);
    expect((await api.patch(`/contacts/${id}`, { custom_fields: shown })).body.custom_fields).toEqual(shown);
  });

  it.each([
    ['text', 7],
    ['text', ['x']],
    ['number', 'seven'],
    ['number', true],
    ['email', 'nobody'],
    ['phone', 'call me'],
    ['url', 'javascript:alert(1)'],
    ['date', '2026-02-30'],
    ['datetime', '2026-02-28 09:00:00'],
    ['boolean', 'maybe'],
    ['boolean', 1],
    ['unheard_of', 'x'],
  ])('a mismatch of %s gives 400 naming the field, and changes nothing: %j', async (type, value) => {
    const before = await contact(keyed({ text: 'kept' }));
    const body = { custom_fields: keyed({ [type]: value }) };
    expect(await api.patch(`/contacts/${before.id}`, body)).toMatchObject(refusal(400, 'invalid_request', keys[type] ?? type));
    expect((await api.post('/contacts', { email: 'new@example.org', ...body })).status).toBe(400);
    expect((await api.get(`/contacts/${before.id}`)).body).toEqual(before);
  });

  it('null and the empty string take a value away; the object is replaced as a whole; left out, it stays', async () => {
    const { id } = await contact(keyed({ text: 'x', number: 1, date: '2026-01-01' }));
    const patch = async (body: unknown) => (await api.patch(`/contacts/${id}`, body)).body.custom_fields;
    expect(await patch({ name: 'New' })).toEqual(keyed({ text: 'x', number: '1', date: '2026-01-01' }));
    expect(await patch({ custom_fields: keyed({ text: 'y', number: null, date: '' }) })).toEqual(keyed({ text: 'y' }));
    expect(await patch({ custom_fields: keyed({ number: 2 }) })).toEqual(keyed({ number: '2' }));
    expect(await patch({ custom_fields: {} })).toEqual({});
  });

  it('with merge=true, only the named ones change, even when two change at once', async () => {
    const { id } = await contact(keyed({ text: 'x', number: 1, date: '2026-01-01' }));
    const merge = (values: Record<string, unknown>) => api.patch(`/contacts/${id}?merge=true`, { custom_fields: keyed(values) });
    expect((await merge({ number: null })).body.custom_fields).toEqual(keyed({ text: 'x', date: '2026-01-01' }));
    await Promise.all([merge({ text: 'y' }), merge({ number: 3 }), merge({ date: '2026-02-02' })]);
    expect((await api.get(`/contacts/${id}`)).body.custom_fields).toEqual(keyed({ text: 'y', number: '3', date: '2026-02-02' }));
    expect(await api.patch(`/contacts/${id}?merge=maybe`, {})).toMatchObject(refusal(400, 'invalid_request', 'merge'));
  });

  it('a deleted one is restored with its key and its values beside another of its name', async () => {
    const old = await field('Hat size');
    const { id } = await contact({ [old.key]: '58' });
    await api.delete(`/custom-fields/${old.id}`);
    const other = await field('hat SIZE');
    expect((await api.post('/trash/restore', { type: 'custom-fields', id: old.id })).status).toBe(200);
    expect([old.key, other.key]).toEqual(['hat_size', 'hat_size_2']);
    expect((await api.get(`/contacts/${id}`)).body.custom_fields).toEqual({ hat_size: '58' });
  });

  it("a deleted field's value is hidden, not erased, by any change, and its key is refused", async () => {
    const size = await field('Size', 'number');
    const { id } = await contact({ ...keyed({ text: 'x' }), [size.key]: 7 });
    await api.delete(`/custom-fields/${size.id}`);
    expect((await api.get(`/contacts/${id}`)).body.custom_fields).toEqual(keyed({ text: 'x' }));
    expect((await api.get('/contacts?limit=200')).body.data.at(-1).custom_fields).toEqual(keyed({ text: 'x' }));
    expect((await api.patch(`/contacts/${id}`, { custom_fields: {} })).body.custom_fields).toEqual({});
    expect(await api.patch(`/contacts/${id}`, { custom_fields: { [size.key]: 8 } })).toMatchObject(
      refusal(400, 'invalid_request', size.key),
    );
    expect(await rowOf(app, 'contacts', id)).toMatchObject({ custom_fields: { [size.key]: '7' } });
    await app.db.query(sql`update custom_fields set deleted_at = null where id = ${size.id}`);
    expect((await api.get(`/contacts/${id}`)).body.custom_fields).toEqual({ [size.key]: '7' });
  });
});
