import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import type { ApiClient } from '../support/api-client.ts';
import { callNative } from '../support/native.ts';
import { makeOneOfEach, named } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { member, workspace } from '../support/people.ts';
import { insertAccount, insertContact } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const { api, app, adminKey } = await servedInstallation({ webhooksAllowPrivate: true });
const { operations } = await operationsOf(api.url);

let account: number;
let campaign: number;
let made = 0;
beforeEach(async () => {
  account = await insertAccount(app);
  campaign = (await api.post('/campaigns', { name: 'C', account_id: account })).body.id;
});
const change = (body: object) => api.patch(`/campaigns/${campaign}`, body);

describe('A/B behaviour', () => {
  const enrol = async (count: number) => {
    const contact_ids = await Promise.all(Array.from({ length: count }, () => insertContact(app)));
    expect((await api.post(`/campaigns/${campaign}/contacts`, { contact_ids })).body).toEqual({ enrolled: count });
  };
  /** Returns the number of contacts in each group, from the procedure that the dashboard uses. */
  const groups = async () => {
    const { text } = await callNative(api.url, { name: 'live.progress', type: 'query', meta: {} }, adminKey, { id: campaign });
    const { variants } = JSON.parse(text).result.data as { variants: { variant: string | null; contacts: number }[] };
    return Object.fromEntries(variants.map(({ variant, contacts }) => [variant ?? 'none', contacts]));
  };

  it('When ab_test_enabled is on, contacts are split into groups A and B at enrolment, and keep their group', async () => {
    await change({ ab_test_enabled: true, ab_split_percent: 25 });
    await enrol(40);
    expect(await groups()).toEqual({ A: 10, B: 30 });
    await change({ ab_split_percent: 50 });
    await change({ ab_test_enabled: false });
    expect(await groups()).toEqual({ A: 10, B: 30 });
  });

  it('Existing enrolments keep whichever variant, if any, they already had', async () => {
    await enrol(4);
    await change({ ab_test_enabled: true });
    await enrol(6);
    expect(await groups()).toEqual({ none: 4, A: 3, B: 3 });
  });

  it('A campaign without a B window sends both groups in the same hours; with one, group B in its own', async () => {
    await change({ ab_test_enabled: true });
    await api.post(`/campaigns/${campaign}/steps`, { subject: 'S', body_html: 'B' });
    await enrol(4);
    await api.post(`/campaigns/${campaign}/activate`);
    const times = async () =>
      (await api.get(`/campaigns/${campaign}/contacts`)).body.data.map((row: { next_send_at: string }) => row.next_send_at).sort();
    expect(await times()).toEqual(Array(4).fill('2026-07-07 12:00:00'));
    await change({ sending_hour_start_b: 15, sending_hour_end_b: 16 });
    expect(await times()).toEqual([...Array(2).fill('2026-07-07 12:00:00'), ...Array(2).fill('2026-07-07 15:00:00')]);
  });

  it('Each axis is independently optional: a B subject without a B body, and the other way round; null takes one away', async () => {
    const { body: step } = await api.post(`/campaigns/${campaign}/steps`, { subject: 'S', body_html: 'B', subject_b: 'S for B' });
    expect(step).toMatchObject({ subject_b: 'S for B', body_html_b: null });
    const patched = await api.patch(`/campaigns/${campaign}/steps/${step.id}`, { subject_b: null, body_html_b: 'B for B' });
    expect(patched.body).toMatchObject({ subject_b: null, body_html_b: 'B for B' });
  });
});

describe('Campaign step', () => {
  it('Subject and body accept merge placeholders such as {{name}}, {{company}} and custom field keys', async () => {
    const { body: field } = await api.post('/custom-fields', { name: 'Shoe size' });
    const texts = { subject: 'For {{name}} of {{company}}', body_html: `<p>{{${field.key}}} or {{${field.key}|none}}, {{later}}</p>` };
    expect(await api.post(`/campaigns/${campaign}/steps`, texts)).toMatchObject({ status: 201, body: texts });
  });

  it('A call step cannot be step 1; kind is email by default', async () => {
    const call = { body_html: 'Notes', kind: 'call' };
    expect(await api.post(`/campaigns/${campaign}/steps`, call)).toMatchObject(refusal(400, 'invalid_request', 'kind: '));
    expect((await api.post(`/campaigns/${campaign}/steps`, { body_html: 'B' })).body).toMatchObject({ step_order: 1, kind: 'email' });
    expect((await api.post(`/campaigns/${campaign}/steps`, call)).body).toMatchObject({ step_order: 2, kind: 'call', wait_days: 0 });
  });
});

describe('Custom field values', () => {
  const types = ['text', 'number', 'email', 'phone', 'url', 'date', 'datetime', 'boolean'];
  const MISMATCHES: Record<string, unknown> = {
    text: 7,
    number: 'seven',
    email: 'nobody',
    phone: 'call me',
    url: 'ftp://example.com',
    date: '31.01.2026',
    datetime: '2026-01-31T09:00:00',
    boolean: 'yes',
  };
  beforeAll(async () => {
    for (const field_type of types) await api.post('/custom-fields', { name: `a ${field_type}`, field_type });
  });
  /** Returns the values as the API shows them after a creation and after a change, which must agree. */
  const shown = async (custom_fields: object) => {
    const created = await api.post('/contacts', { email: `values-${++made}@example.org`, custom_fields });
    const { body: other } = await api.post('/contacts', { email: `values-${++made}@example.org` });
    const changed = await api.patch(`/contacts/${other.id}`, { custom_fields });
    expect([created.status, changed.status]).toEqual([201, 200]);
    expect(changed.body.custom_fields).toEqual(created.body.custom_fields);
    return created.body.custom_fields;
  };

  it('A url value without a scheme gets https:// prepended', async () => {
    expect(await shown({ a_url: 'example.com/path' })).toEqual({ a_url: 'https://example.com/path' });
    expect(await shown({ a_url: 'http://example.com' })).toEqual({ a_url: 'http://example.com' });
  });

  it('A boolean value is normalised to the string true or false', async () => {
    for (const [value, text] of [
      [true, 'true'],
      [false, 'false'],
      ['TRUE', 'true'],
      ['False', 'false'],
    ])
      expect(await shown({ a_boolean: value })).toEqual({ a_boolean: text });
  });

  it.each(types)('A type mismatch gives 400: %s', async (type) => {
    const custom_fields = { [`a_${type}`]: MISMATCHES[type] };
    const mismatch = refusal(400, 'invalid_request', `custom_fields.a_${type}: `);
    expect(await api.post('/contacts', { email: `values-${++made}@example.org`, custom_fields })).toMatchObject(mismatch);
    const { body } = await api.post('/contacts', { email: `values-${++made}@example.org` });
    expect(await api.patch(`/contacts/${body.id}`, { custom_fields, name: 'Other' })).toMatchObject(mismatch);
    expect((await api.get(`/contacts/${body.id}`)).body).toEqual(body);
  });
});

describe('Sending account', () => {
  it('pause_reason, the window, batch and timezone fields: no API write exists for them, and none for credentials', async () => {
    const writes = operations.filter(({ method, path }) => method !== 'GET' && path.startsWith('/accounts'));
    // A body may name only a user to share with or transfer to, and the email and recipients of a placement test.
    for (const operation of writes)
      expect(
        Object.keys(operation.body?.properties ?? {}).filter((field) => !['user_id', 'to', 'campaign_id', 'step_order'].includes(field)),
        named(operation),
      ).toEqual([]);
    expect(writes.filter(({ path }) => path === '/accounts' || path === '/accounts/{id}').map(({ method }) => method)).toEqual(['DELETE']);
    const before = (await api.get(`/accounts/${account}`)).body;
    expect((await api.patch(`/accounts/${account}`, { timezone: 'Asia/Tokyo', send_batch_max: 9 })).status).toBe(404);
    expect((await api.get(`/accounts/${account}`)).body).toEqual(before);
  });
});

describe('Sharing', () => {
  const MAKERS: Record<string, (client: ApiClient) => Promise<{ body: { id: number; is_shared_to_all: boolean } }>> = {
    campaigns: (client) => client.post('/campaigns', { name: 'C', account_id: account }),
    contacts: (client) => client.post('/contacts', { email: `shared-${++made}@example.org` }),
    templates: (client) => client.post('/templates', { name: 'T', body_html: 'B' }),
  };

  it.each(
    Object.keys(MAKERS),
  )('%s are visible to everyone by default; is_shared_to_all false through PATCH leaves the creator, admins and listed users', async (type) => {
    const [creator, listed, stranger] = [await member(app, 'manager'), await member(app, 'view_only'), await member(app, 'manager')];
    const { body } = (await MAKERS[type]?.(api.as(creator.key))) ?? { body: { id: 0, is_shared_to_all: false } };
    const path = `/${type}/${body.id}`;
    const seen = async () => {
      const statuses = await Promise.all([adminKey, creator.key, listed.key, stranger.key].map((key) => api.as(key).get(path)));
      return statuses.map(({ status }) => status);
    };
    expect(body.is_shared_to_all).toBe(true);
    expect(await seen()).toEqual([200, 200, 200, 200]);
    expect((await api.as(creator.key).patch(path, { is_shared_to_all: false })).body.is_shared_to_all).toBe(false);
    expect(await seen()).toEqual([200, 200, 404, 404]);
    expect((await api.as(creator.key).post(`${path}/shares`, { user_id: listed.id })).status).toBe(201);
    expect(await seen()).toEqual([200, 200, 200, 404]);
    await api.patch(path, { is_shared_to_all: true });
    expect(await seen()).toEqual([200, 200, 200, 200]);
  });
});

describe('Workspace', () => {
  it('is an isolated scope holding its own contacts, lists, campaigns, mailboxes and all other data: a new one has nothing', async () => {
    await makeOneOfEach(app, api, 1, 1);
    const stranger = await member(app, 'admin', { workspaceId: await workspace(app) });
    const answersAlone = ({ path, query }: (typeof operations)[number]) =>
      path.endsWith('/search') || !query.some(({ required }) => required);
    const lists = operations.filter((operation) => operation.method === 'GET' && !operation.path.includes('{') && answersAlone(operation));
    const history = await app.db.query<{ id: number }>(
      sql`select id from audit_log where workspace_id = (select workspace_id from memberships where user_id = ${stranger.id}) order by id desc`,
    );
    const own: Record<string, number[]> = { '/users': [stranger.id], '/keys': [stranger.keyId], '/history': history.map(({ id }) => id) };
    for (const operation of lists) {
      const query = operation.path.endsWith('/search') ? '?q=name:*%20OR%20name:none' : '';
      const { status, body } = await api.as(stranger.key).get(operation.path + query);
      expect(status, named(operation)).toBe(200);
      if (typeof body === 'string') expect(body.trimEnd().split('\n'), `${named(operation)}: the head alone`).toHaveLength(1);
      if (typeof body === 'string' || !('data' in body) || operation.path === '/webhooks/event-types') continue;
      expect(
        body.data.map((row: { id: number }) => row.id),
        named(operation),
      ).toEqual(own[operation.path] ?? []);
      expect(body.pagination?.total ?? 0, named(operation)).toBe(0);
    }
  });
});
