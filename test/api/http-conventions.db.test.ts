import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import { servedInstallation } from '../support/served.ts';

const { url, adminKey } = await servedInstallation();
const api = apiClient(url, adminKey);
const headers = { Authorization: `Bearer ${adminKey}` };
let contact: string;

/** Sends a request with node:http: fetch would decompress the body. */
const raw = (method: string, path: string, given: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(`${url}/api/v1${path}`, { method, headers: { ...headers, ...given } }, async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece as Buffer);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) });
    });
    sent.on('error', reject).end();
  });
const patch = (path: string, body: unknown, given: Record<string, string>) =>
  fetch(`${url}/api/v1${path}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json', ...given },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  const { body: created } = await api.post('/contacts', { email: 'Ada@example.org', name: 'Ada' });
  contact = `/contacts/${created.id}`;
  for (let index = 0; index < 40; index++) await api.post('/contacts', { email: `c${index}@example.com`, name: `Contact ${index}` });
});

// "HEAD is 404 on every operation" (RFC 9110 §9.1: GET and HEAD must be supported by all general-purpose servers).
it.each(['/contacts', '/me', '/contacts/export', '/nothing'])('HEAD %s is GET without a body', async (path) => {
  const [head, get] = [await raw('HEAD', path), await raw('GET', path)];
  expect({ status: head.status, type: head.headers['content-type'], bytes: head.body.length }).toEqual({
    status: get.status,
    type: get.headers['content-type'],
    bytes: 0,
  });
});

// "A page of 200 contacts 50 KB. Accept-Encoding is ignored though request bodies may be gzip."
it('a long body is compressed for those who take gzip, and says what it depends on', async () => {
  const plain = await raw('GET', '/contacts?limit=200');
  const packed = await raw('GET', '/contacts?limit=200', { 'Accept-Encoding': 'gzip' });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  expect(packed.body.length).toBeLessThan(plain.body.length / 4);
  expect((await raw('GET', '/me', { 'Accept-Encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
});

it('a client that has a body already gets 304, whether it was compressed or not', async () => {
  for (const given of [{}, { 'Accept-Encoding': 'gzip' }] as Record<string, string>[]) {
    const first = await raw('GET', '/contacts?limit=200', given);
    const tag = String(first.headers.etag);
    for (const wanted of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
      expect(await raw('GET', '/contacts?limit=200', { ...given, 'If-None-Match': wanted }), wanted).toMatchObject({
        status: 304,
        body: Buffer.alloc(0),
      });
    expect((await raw('GET', '/contacts?limit=200', { ...given, 'If-None-Match': '"other"' })).status).toBe(200);
  }
});

// "PATCH with If-Match: "nope" → 200 (§13.1.1: MUST evaluate); no ETag, so two integrations overwrite each other."
it('of two who read the same state and change it with If-Match, one is refused with 412', async () => {
  const { headers: read } = await raw('GET', contact);
  const tag = String(read.etag);
  const refused = await patch(contact, { name: 'Nobody' }, { 'If-Match': '"nope"' });
  expect([refused.status, await refused.json()]).toEqual([
    412,
    { error: { code: 'invalid_request', message: 'If-Match: the resource has changed since; read it again' } },
  ]);
  const answers = await Promise.all(['One', 'Two'].map((name) => patch(contact, { name }, { 'If-Match': tag })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  const now = await raw('GET', contact);
  expect(JSON.parse(now.body.toString()).name).toBe(answers[0]?.status === 200 ? 'One' : 'Two');
  expect((await patch(contact, { name: 'Three' }, { 'If-Match': '*' })).status).toBe(200);
  expect((await patch('/contacts/4711', { name: 'Three' }, { 'If-Match': '*' })).status).toBe(404);
  expect((await raw('DELETE', contact, { 'If-Match': tag })).status).toBe(412);
});

// "No GET /contacts/by-email/{email}, no filter by address in GET /suppressions (page through all to ask one), no updated_since."
it('a contact is found by its address, suppressions by a text, and contacts by the time of their last change', async () => {
  const found = async (path: string) => ((await api.get(path)).body.data as { email: string }[]).map(({ email }) => email);
  expect(await found('/contacts?email=ADA@example.org')).toEqual(['Ada@example.org']);
  expect(await found('/contacts?email=nobody@example.org')).toEqual([]);
  for (const email of ['one@example.net', '@example.net', 'two@example.org']) await api.post('/suppressions', { email });
  expect(await found('/suppressions?q=EXAMPLE.net')).toEqual(['one@example.net', '@example.net']);
  expect(await found('/suppressions?q=two@example.org')).toEqual(['two@example.org']);
  expect(await found('/contacts?updated_since=2030-01-01T00:00:00Z')).toEqual([]);
  expect(await found('/contacts?updated_since=2026-01-01T00:00:00Z&limit=2')).toHaveLength(2);
  expect((await api.get('/contacts?updated_since=2026-01-01T00:00:00+02:00')).body.error.message).toContain('write + as %2B in a URL');
});

// "Of 711 KB, 325 KB are repeated error responses; 21 inline pagination objects; 93 of 158 operations have no description."
it('the document says once what holds for many operations', async () => {
  const text = await (await fetch(`${url}/api/v1/openapi.json`)).text();
  const { paths, components, info } = JSON.parse(text);
  const operations = Object.values<Record<string, { description?: string }>>(paths).flatMap((methods) => Object.values(methods));
  expect(operations.filter(({ description }) => !/Scope: `\w+`\.$/.test(description ?? ''))).toEqual([]);
  expect(Object.keys(components.responses)).toEqual(['NotFound', 'Conflict', 'TooLarge', 'UnsupportedType', 'Failure']);
  expect(components.schemas.Pagination).toBeDefined();
  expect(info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
  // Descriptions 73 KB, references 48, examples 30, types 28, links 22, patterns 21, required fields 16, names of fields 16: none of it is said twice.
  expect(text.length).toBeLessThan(340_000);
  // "ogen can not generate: cannot merge different patterns."
  expect(JSON.stringify(components.schemas.EmailAddress)).not.toContain('allOf');
});
