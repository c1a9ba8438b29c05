import { describe, expect, it } from 'vitest';
import { operationsOf } from '../support/openapi.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const { api, app } = await servedInstallation();
const { operations } = await operationsOf(api.url);

const parametersOf = (path: string) =>
  operations.find((operation) => operation.method === 'GET' && operation.path === path)?.query.map(({ name }) => name) ?? [];

describe('General conventions', () => {
  it('All API paths sit under {base_url}/api/v1; there is no v2 yet', async () => {
    const document = (await api.get('/openapi.json')).body;
    expect(document.servers).toEqual([{ url: expect.stringMatching(/\/api\/v1$/) }]);
    for (const path of ['/me', '/api/me', '/api/v2/me', '/v1/me']) expect((await fetch(`${api.url}${path}`)).status, path).toBe(404);
  });

  it('All requests and responses use JSON with Content-Type: application/json', async () => {
    for (const path of ['/me', '/contacts', '/nothing', '/contacts?limit=x', '/contacts/999'])
      expect((await api.get(path)).headers.get('content-type'), path).toMatch(/^application\/json/);
  });

  it('GET 200. POST 201 when it creates, 200 when it runs an action. PATCH 200. DELETE 204 with no body', async () => {
    const { status, body: list } = await api.post('/lists', { name: 'L' });
    expect(status).toBe(201);
    expect((await api.get(`/lists/${list.id}`)).status).toBe(200);
    expect((await api.patch(`/lists/${list.id}`, { name: 'M' })).status).toBe(200);
    const { body: contact } = await api.post('/contacts', { email: 'a@example.org' });
    expect((await api.post(`/contacts/${contact.id}/archive`)).status).toBe(200);
    const deleted = await api.delete(`/lists/${list.id}`);
    expect(deleted).toMatchObject({ status: 204, body: undefined });
    expect(deleted.headers.get('content-type')).toBeNull();
  });

  it('in the document too: every DELETE answers 204, every PATCH and GET 200', () => {
    const success = ({ responses }: (typeof operations)[number]) => Object.keys(responses).filter((status) => status < '300');
    for (const operation of operations) {
      const name = `${operation.method} ${operation.path}`;
      if (operation.method === 'DELETE') expect(success(operation), name).toEqual(['204']);
      if (operation.method === 'PATCH' || operation.method === 'GET') expect(success(operation), name).toEqual(['200']);
    }
  });

  it("Request timestamps: RFC 3339 with a zone designator, or the API's own format", async () => {
    for (const since of ['2026-01-31 09:00:00', '2026-01-31T09:00:00Z', '2026-01-31t09:00:00.5z', '2026-01-31T09:00:00%2B05:30'])
      expect((await api.get(`/events?since=${since}`)).status, since).toBe(200);
    for (const since of [
      '2026-01-31',
      '2026-01-31T09:00:00',
      '2026-01-31 24:00:00',
      '2026-02-30 09:00:00',
      '2026-02-30T09:00:00Z',
      '1767168000',
      'yesterday',
    ])
      expect(await api.get(`/events?since=${since}`)).toMatchObject(refusal(400, 'invalid_request', 'since: must be an RFC 3339'));
  });

  it('A resource the caller may not see answers 404, in the words for one that does not exist', async () => {
    const missing = await api.get('/contacts/999999');
    const { body: contact } = await api.post('/contacts', { email: 'deleted@example.org' });
    await api.delete(`/contacts/${contact.id}`);
    expect((await api.get(`/contacts/${contact.id}`)).body).toEqual(missing.body);
    expect(missing).toMatchObject(refusal(404, 'not_found', 'contact not found'));
  });
});

describe('Pagination', () => {
  it('List endpoints answer { data, pagination: { total, limit, offset } }; limit 50 and offset 0 by default', async () => {
    const paginated = operations.filter(
      ({ method, path }) => method === 'GET' && !path.includes('{') && parametersOf(path).includes('offset'),
    );
    expect(paginated.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/contacts', '/campaigns', '/lists', '/suppressions', '/templates', '/accounts', '/events']),
    );
    for (const { path } of paginated) {
      if (path === '/contacts/search') continue;
      const { body } = await api.get(path);
      expect(body, path).toEqual({ data: expect.any(Array), pagination: { total: expect.any(Number), limit: 50, offset: 0 } });
    }
  });

  it('Small collections answer only { data }: steps, share lists, custom fields, per-contact campaigns, users', async () => {
    for (const path of ['/campaigns/{id}/steps', '/contacts/{id}/shares', '/custom-fields', '/contacts/{id}/campaigns', '/users'])
      expect(parametersOf(path), path).toEqual([]);
    expect(Object.keys((await api.get('/custom-fields')).body)).toEqual(['data']);
  });

  it('To read everything, repeat with offset increased by limit until offset >= total', async () => {
    await app.db.pool.query(
      `insert into lists (workspace_id, name, created_at) select 1, 'Page ' || i, now() from generate_series(1, 23) i`,
    );
    const seen: number[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 5) {
      const { body } = await api.get(`/lists?limit=5&offset=${offset}`);
      expect(body.pagination).toMatchObject({ limit: 5, offset });
      total = body.pagination.total;
      seen.push(...body.data.map(({ id }: { id: number }) => id));
    }
    expect(seen.length).toBeGreaterThanOrEqual(23);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
  });
});
