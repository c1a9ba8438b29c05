import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/statement.ts';
import { member } from '../../support/people.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

const { api, app } = await servedInstallation();

const write = async (contacts: object[], update?: boolean) => {
  const { status, body } = await api.post('/contacts/batch', { contacts, ...(update !== undefined && { update }) });
  expect(status).toBe(200);
  return body.data as { email: string; status: string; id: number | null; error: string | null }[];
};
const contactAt = async (email: string) => (await api.get(`/contacts?q=${email}`)).body.data[0];
const numberOf = async (table: 'contacts' | 'audit_log') => {
  const [row] = await app.db.query<{ count: number }>(
    table === 'contacts' ? sql`select count(*) from contacts` : sql`select count(*) from audit_log`,
  );
  return Number(row?.count);
};

describe('POST /contacts/batch: up to 1,000, the result of each row in order', () => {
  it('creates contacts with their fields, on their lists, each with its audit entry', async () => {
    const list = (await api.post('/lists', { name: 'Fair' })).body.id;
    await api.post('/custom-fields', { name: 'Colour' });
    const audited = await numberOf('audit_log');
    const [ada, bob] = await write([
      { email: 'ada@example.org', name: 'Ada', company: 'Engines', custom_fields: { colour: 'green' }, list_ids: [list, list] },
      { email: 'bob@example.org', is_shared_to_all: false },
    ]);
    expect([ada, bob]).toMatchObject([
      { email: 'ada@example.org', status: 'created', error: null },
      { status: 'created', error: null },
    ]);
    expect((await api.get(`/contacts/${ada?.id}`)).body).toMatchObject({
      name: 'Ada',
      company: 'Engines',
      custom_fields: { colour: 'green' },
    });
    expect((await api.get(`/contacts/${bob?.id}`)).body).toMatchObject({ name: '', company: null, is_shared_to_all: false });
    expect((await api.get(`/lists/${list}/members`)).body.data).toMatchObject([{ contact_id: ada?.id }]);
    expect(await numberOf('audit_log')).toBe(audited + 2);
  });

  it('a row that is not written says why, and does not affect the others', async () => {
    const before = await numberOf('contacts');
    const rows = [
      { email: 'nobody' },
      { email: 'cy@example.org' },
      { email: 'CY@example.org' },
      { email: 'di@example.org', list_ids: [999] },
    ];
    expect(await write([...rows, { email: 'ed@example.org', custom_fields: { nope: 'x' } }])).toMatchObject([
      { status: 'invalid', id: null, error: expect.stringContaining('must be one email address') },
      { status: 'created' },
      { status: 'invalid', error: 'email: the same address as in contacts[1]' },
      { status: 'invalid', error: 'list_ids: there is no list 999' },
      { status: 'invalid', error: 'custom_fields: unknown key "nope"' },
    ]);
    expect(await numberOf('contacts')).toBe(before + 1);
  });

  it('a conflict names the id that is there where the caller can see it, and no more where it is hidden', async () => {
    const open = (await api.post('/contacts', { email: 'open@example.org' })).body.id;
    await api.post('/contacts', { email: 'hidden@example.org', is_shared_to_all: false });
    const manager = api.as((await member(app, 'manager')).key);
    const batch = { contacts: [{ email: 'Open@example.org' }, { email: 'hidden@example.org', name: 'Mine' }] };
    expect((await manager.post('/contacts/batch', batch)).body.data).toMatchObject([
      { status: 'conflict', id: open },
      { status: 'conflict', id: null },
    ]);
    expect((await manager.post('/contacts/batch', { ...batch, update: true })).body.data).toMatchObject([
      { status: 'unchanged', id: open },
      { status: 'conflict', id: null, error: expect.stringContaining("can't see") },
    ]);
    expect(await contactAt('hidden@example.org')).toMatchObject({ name: '' });
  });

  it('update: given fields replace the stored ones, custom fields key by key, null removes one', async () => {
    await api.post('/custom-fields', { name: 'Town' });
    await write([{ email: 'eve@example.org', name: 'Eve', company: 'Old', custom_fields: { colour: 'red', town: 'Rome' } }]);
    const changed = { email: 'EVE@example.org', company: 'New', custom_fields: { colour: null } };
    expect(await write([changed], true)).toMatchObject([{ status: 'updated' }]);
    expect(await write([changed], true)).toMatchObject([{ status: 'unchanged' }]);
    expect(await contactAt('eve@example.org')).toMatchObject({
      email: 'eve@example.org',
      name: 'Eve',
      company: 'New',
      custom_fields: { town: 'Rome' },
    });
  });

  it('two batches with the same addresses at once: each address once, and each row has its outcome', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({ email: `twice${index}@example.org` }));
    const [one, other] = await Promise.all([write(rows), write(rows.toReversed())]);
    const outcomes = [...one, ...other.toReversed()];
    expect(outcomes.filter(({ status }) => status === 'created')).toHaveLength(200);
    expect(outcomes.filter(({ status }) => status === 'conflict')).toHaveLength(200);
    for (const [index, { id }] of one.entries()) expect(id).toBe(other.toReversed()[index]?.id);
  });

  it('more than 1,000 rows, or an unknown field, are refused whole', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ email: `many${index}@example.org` }));
    expect(await api.post('/contacts/batch', { contacts: many })).toMatchObject(refusal(400, 'invalid_request', 'at most 1,000'));
    const odd = { contacts: [{ email: 'odd@example.org' }, { email: 'odder@example.org', phone: '1' }] };
    expect(await api.post('/contacts/batch', odd)).toMatchObject(refusal(400, 'invalid_request', 'contacts[1]'));
    expect(await contactAt('odd@example.org')).toBeUndefined();
  });
});

describe('PUT /contacts/by-email/{email}', () => {
  it('answers 201 for a new contact and 200 for one that was there', async () => {
    const path = `/contacts/by-email/${encodeURIComponent('zoë+1@example.org')}`;
    expect(await api.put(path, { name: 'Zoë' })).toMatchObject({ status: 201, body: { email: 'zoë+1@example.org', name: 'Zoë' } });
    expect(await api.put(path, { company: 'Fair' })).toMatchObject({ status: 200, body: { name: 'Zoë', company: 'Fair' } });
    expect(await api.put('/contacts/by-email/nobody', {})).toMatchObject(refusal(400, 'invalid_request', 'email'));
    expect(await api.put('/contacts/by-email/x@example.org', { list_ids: [999] })).toMatchObject(
      refusal(400, 'invalid_request', 'list_ids'),
    );
    expect((await api.put('/contacts/by-email/%E0%A4%A@example.org', {})).status).toBe(400);
  });

  it('B20: "GET, change, PATCH works": its own email in the body is ignored; another one, which would be lost, is refused', async () => {
    const path = `/contacts/by-email/${encodeURIComponent('kept+1@example.org')}`;
    const { body } = await api.put(path, { email: 'Kept+1@Example.org', name: 'Kept' });
    expect(body).toMatchObject({ email: 'kept+1@example.org', name: 'Kept' });
    for (const email of ['other@example.org', null])
      expect(await api.put(path, { email, name: 'Lost' })).toMatchObject(
        refusal(400, 'invalid_request', 'email: must be that of the path'),
      );
    expect(await api.put(path, body)).toMatchObject({ status: 200, body: { name: 'Kept' } });
  });
});
