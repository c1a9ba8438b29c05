import { beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/index.ts';
import { type Ids, makeOneOfEach, named, pathWith } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { insertContact, insertList } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const { api, app, clock, caller } = await servedInstallation({ webhooksAllowPrivate: true });
const { operations } = await operationsOf(api.url);

let ids: Ids;
beforeAll(async () => {
  ids = await makeOneOfEach(app, api, 1, 1);
  for (const [name, field_type] of [
    ['Long', 'text'],
    ['Site', 'url'],
  ])
    await api.post('/custom-fields', { name, field_type });
});

let made = 0;
const email = () => `limit-${++made}@example.org`;
/** Returns characters of two UTF-16 units and four bytes each. */
const wide = (count: number) => '😀'.repeat(count);

describe('Limits of pages', () => {
  const paginated = operations.filter(({ query }) => query.some(({ name }) => name === 'offset'));
  const pathOf = (operation: (typeof operations)[number], query: string) =>
    `${pathWith(operation, ids)}?${operation.path.endsWith('/search') ? 'q=name:*&' : ''}${query}`;

  it('limit parameter: default 50, minimum 1, maximum 200, of every list', async () => {
    expect(paginated.length).toBeGreaterThan(10);
    for (const operation of paginated) {
      const limited = async (query: string) => api.get(pathOf(operation, query));
      expect((await limited('')).body.pagination, named(operation)).toMatchObject({ limit: 50, offset: 0 });
      for (const limit of [1, 200]) expect((await limited(`limit=${limit}`)).body.pagination.limit, named(operation)).toBe(limit);
      expect(await limited('limit=0'), named(operation)).toMatchObject(refusal(400, 'invalid_request', 'limit: must be 1 or more'));
      expect(await limited('limit=201'), named(operation)).toMatchObject(refusal(400, 'invalid_request', 'limit: must be at most 200'));
    }
  });

  it('offset parameter: default 0, any integer from 0; beyond the end there is nothing', async () => {
    for (const operation of paginated) {
      const beyond = await api.get(pathOf(operation, 'offset=100000'));
      expect(beyond, named(operation)).toMatchObject({ status: 200, body: { data: [], pagination: { offset: 100_000 } } });
      const { total } = (await api.get(pathOf(operation, ''))).body.pagination;
      expect(beyond.body.pagination.total, named(operation)).toBe(total);
      expect(await api.get(pathOf(operation, 'offset=-1')), named(operation)).toMatchObject(refusal(400, 'invalid_request', 'offset: '));
    }
  });
});

describe('Limits of fields', () => {
  const patched = (body: object) => api.patch(`/campaigns/${ids.campaigns}`, body);

  it('ab_split_percent: 1 to 99, default 50', async () => {
    expect((await api.get(`/campaigns/${ids.campaigns}`)).body.ab_split_percent).toBe(50);
    for (const ab_split_percent of [1, 99])
      expect(await patched({ ab_split_percent })).toMatchObject({ status: 200, body: { ab_split_percent } });
    for (const outside of [0, 100])
      expect(await patched({ ab_split_percent: outside })).toMatchObject(refusal(400, 'invalid_request', 'ab_split_percent: '));
  });

  it('sending_days entries: each 1 to 7', async () => {
    expect((await patched({ sending_days: [1, 2, 3, 4, 5, 6, 7] })).body.sending_days).toEqual([1, 2, 3, 4, 5, 6, 7]);
    for (const day of [0, 8])
      expect(await patched({ sending_days: [1, day] })).toMatchObject(refusal(400, 'invalid_request', 'sending_days[1]: '));
  });

  it('wait_days: 0 to 365', async () => {
    const step = (wait_days: number) => api.patch(`/campaigns/${ids.campaigns}/steps/${ids.steps}`, { wait_days });
    for (const days of [365, 0]) expect((await step(days)).body.wait_days).toBe(days);
    for (const days of [-1, 366]) expect(await step(days)).toMatchObject(refusal(400, 'invalid_request', 'wait_days: '));
  });

  it('daily_send_limit is set in the app: no API write exists for it', async () => {
    expect((await api.get(`/accounts/${ids.accounts}`)).body.daily_send_limit).toBe(50);
    expect((await api.patch(`/accounts/${ids.accounts}`, { daily_send_limit: 9 })).status).toBe(404);
  });

  /** Fields that accept a text of so many characters, but not one more. */
  const TEXTS: [field: string, most: number, path: () => string, rest: () => object][] = [
    ['name', 255, () => '/campaigns', () => ({ account_id: ids.accounts })],
    ['name', 255, () => '/lists', () => ({})],
    ['name', 255, () => '/templates', () => ({ body_html: 'B' })],
    ['name', 255, () => '/custom-fields', () => ({})],
    ['name', 255, () => '/contacts', () => ({ email: email() })],
    ['name', 255, () => '/users', () => ({ email: email(), role: 'view_only' })],
    ['name', 255, () => '/webhooks', () => ({ url: 'http://127.0.0.1:9/' })],
    ['company', 255, () => '/contacts', () => ({ email: email() })],
    ['subject', 500, () => '/templates', () => ({ name: 'T', body_html: 'B' })],
    ['subject', 500, () => `/campaigns/${ids.campaigns}/steps`, () => ({ body_html: 'B' })],
    ['subject_b', 500, () => `/campaigns/${ids.campaigns}/steps`, () => ({ body_html: 'B' })],
    ['reason', 500, () => '/suppressions', () => ({ email: email() })],
  ];

  it.each(TEXTS)('%s: %d characters, however many bytes they take, and nothing is cut off', async (field, most, path, rest) => {
    const { status, body } = await api.post(path(), { ...rest(), [field]: wide(most) });
    expect({ status, text: body[field] }).toEqual({ status: 201, text: wide(most) });
    expect(await api.post(path(), { ...rest(), [field]: wide(most + 1) })).toMatchObject(
      refusal(400, 'invalid_request', `${field}: at most ${most} characters`),
    );
  });

  it.each(['subject', 'subject_b'])('%s: no line break, which would smuggle headers', async (field) => {
    for (const text of ['a\r\nBcc: x@example.org', 'a\nb', 'a\u2028b'])
      expect(await api.post(`/campaigns/${ids.campaigns}/steps`, { body_html: 'B', [field]: text })).toMatchObject(
        refusal(400, 'invalid_request', `${field}: must not contain line breaks`),
      );
  });

  it.each([
    ['body_html', () => '/templates', () => ({ name: 'T' })],
    ['body_html', () => `/campaigns/${ids.campaigns}/steps`, () => ({})],
    ['body_html_b', () => `/campaigns/${ids.campaigns}/steps`, () => ({ body_html: 'B' })],
  ])('%s: 256 KiB of UTF-8', async (field, path, rest) => {
    const whole = 'é'.repeat(128 * 1024);
    expect((await api.post(path(), { ...rest(), [field]: whole })).body[field]).toBe(whole);
    expect(await api.post(path(), { ...rest(), [field]: `${whole}x` })).toMatchObject(
      refusal(400, 'invalid_request', `${field}: at most 256 KiB`),
    );
  });

  it('email: 254 characters, the part before the @ 64', async () => {
    const rest = (local: number) => [62, 62, 254 - local - 127].map((length) => 'd'.repeat(length)).join('.');
    const address = (local: number, all = 254) => `${'l'.repeat(local)}@${rest(local)}${'d'.repeat(all - 254)}`;
    for (const [path, fields] of [
      ['/contacts', {}],
      ['/suppressions', {}],
      ['/users', { name: 'U', role: 'view_only' }],
    ] as const) {
      expect(await api.post(path, { ...fields, email: address(64) }), path).toMatchObject({ status: 201, body: { email: address(64) } });
      for (const long of [address(65), address(64, 255)])
        expect(await api.post(path, { ...fields, email: long }), path).toMatchObject(refusal(400, 'invalid_request', 'email: '));
    }
  });

  it('a text custom value: 10,000 characters; a url value: 2,048', async () => {
    const contact = (custom_fields: object) => api.post('/contacts', { email: email(), custom_fields });
    expect((await contact({ long: wide(10_000) })).body.custom_fields).toEqual({ long: wide(10_000) });
    expect(await contact({ long: wide(10_001) })).toMatchObject(refusal(400, 'invalid_request', 'custom_fields.long: at most 10,000'));
    const url = `https://example.com/${'u'.repeat(2_048 - 20)}`;
    expect((await contact({ site: url })).body.custom_fields).toEqual({ site: url });
    expect(await contact({ site: `${url}u` })).toMatchObject(refusal(400, 'invalid_request', 'custom_fields.site: '));
  });

  it('contact_ids: 10,000 in a request; list_ids: 100', async () => {
    const contact = await insertContact(app);
    const lists = await Promise.all(Array.from({ length: 100 }, () => insertList(app)));
    const enrol = (body: object) => api.post(`/campaigns/${ids.campaigns}/contacts`, body);
    const many = Array.from({ length: 10_000 }, () => contact);
    expect(await enrol({ contact_ids: many, list_ids: lists })).toMatchObject({ status: 200, body: { enrolled: 1 } });
    expect(await enrol({ contact_ids: [...many, contact] })).toMatchObject(refusal(400, 'invalid_request', 'contact_ids: at most 10,000'));
    expect(await enrol({ list_ids: [...lists, lists[0]] })).toMatchObject(refusal(400, 'invalid_request', 'list_ids: at most 100'));
    expect(await api.post(`/lists/${lists[0]}/members`, { contact_ids: [...many, contact] })).toMatchObject(
      refusal(400, 'invalid_request', 'contact_ids: at most 10,000'),
    );
    expect(await api.post('/contacts', { email: email(), list_ids: [...lists, lists[0]] })).toMatchObject(
      refusal(400, 'invalid_request', 'list_ids: at most 100'),
    );
  });

  it('q of the list: 255 characters; of a search: 1,000, and 50 terms', async () => {
    const asked = (path: string, q: string) => api.get(`${path}?q=${encodeURIComponent(q)}`);
    expect((await asked('/contacts', wide(255))).status).toBe(200);
    expect(await asked('/contacts', wide(256))).toMatchObject(refusal(400, 'invalid_request', 'q: at most 255 characters'));
    expect((await asked('/contacts/search', wide(1_000))).status).toBe(200);
    expect(await asked('/contacts/search', wide(1_001))).toMatchObject(refusal(400, 'invalid_request', 'longer than 1000 characters'));
    expect((await asked('/contacts/search', 'a '.repeat(50))).status).toBe(200);
    expect(await asked('/contacts/search', 'a '.repeat(51))).toMatchObject(refusal(400, 'invalid_request', 'more than 50 terms'));
  });
});

describe('Limits that there are not', () => {
  it('Request rate: no rate limit applies', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++)
      for (const { status, headers } of await Promise.all(Array.from({ length: 25 }, () => api.get('/me')))) {
        statuses.add(status);
        expect([...headers.keys()].filter((name) => /rate|retry/i.test(name))).toEqual([]);
      }
    expect([...statuses]).toEqual([200]);
  });

  it('Key lifetime: none; keys do not expire', async () => {
    const { key } = await app.db.tx((tx) => createKey(tx, app, caller, { name: 'old', userId: 1, workspaceId: 1 }));
    const now = clock.now();
    clock.set('2126-07-07T12:00:00Z');
    expect((await api.as(key).get('/me')).status).toBe(200);
    clock.set(now.toISOString());
  });
});
