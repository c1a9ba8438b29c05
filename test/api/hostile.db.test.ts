import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { exchange, type RawAnswer } from '../support/raw-http.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const { api, app, adminKey } = await servedInstallation();

/** Sends a request as bytes; the connection ends with the response. */
const raw = (line: string, headers: Record<string, string> = {}, body: string | Buffer = ''): Promise<RawAnswer> => {
  const length = Buffer.byteLength(body);
  const all = {
    Host: 'localhost',
    Connection: 'close',
    Authorization: `Bearer ${adminKey}`,
    ...(length > 0 && !('Transfer-Encoding' in headers) ? { 'Content-Length': String(length) } : {}),
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return exchange(api.url, Buffer.concat([Buffer.from(`${[line, ...head].join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]));
};
const post = (body: string | Buffer, headers: Record<string, string> = {}, path = '/contacts') =>
  raw(`POST /api/v1${path} HTTP/1.1`, { 'Content-Type': 'application/json', ...headers }, body);

const CODES: Record<number, string> = { 401: 'unauthorized', 403: 'forbidden', 404: 'not_found', 409: 'conflict' };

/** Expects a refusal as JSON in the error envelope, with the code of its status and a reason. */
function expectRefused(answer: RawAnswer, status: number, message = ''): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const { error } = JSON.parse(answer.text);
  expect(error).toEqual({ code: CODES[status] ?? 'invalid_request', message: expect.stringContaining(message) });
  expect(error.message).not.toMatch(/\n|node_modules|at \w+ \(/);
}

const contacts = async () => (await app.db.query<{ n: number }>(sql`select count(*)::int as n from contacts`))[0]?.n;

describe('hostile bodies', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

  it.each([
    ['not JSON', '{"email":', 400, 'not valid JSON'],
    ['two documents', '{}{}', 400, 'not valid JSON'],
    ['an array', '[]', 400, 'must be a JSON object'],
    ['a text', '"x"', 400, 'must be a JSON object'],
    ['null', 'null', 400, 'must be a JSON object'],
    ['20 levels', nested(20), 400, 'unknown field "a"'],
    ['21 levels', nested(21), 400, 'more than 20 levels deep'],
    ['21 levels of arrays', `{"custom_fields":${'['.repeat(20)}${']'.repeat(20)}}`, 400, 'more than 20 levels deep'],
    ['a million levels', `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`, 400, 'the body: at most 100,000 values'],
    ['10,000 levels', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400, 'more than 20 levels deep'],
    ['a NUL', '{"email":"a@example.org","name":"a\\u0000b"}', 400, 'name: must not contain NUL'],
    ['a NUL deep inside', '{"email":"a@example.org","custom_fields":{"x":["\\u0000"]}}', 400, 'custom_fields.x[0]: must not contain NUL'],
    ['a NUL in a name', '{"email\\u0000":"a@example.org"}', 400, 'unknown field'],
    ['a lone surrogate', '{"email":"a@example.org","name":"\\ud800"}', 400, 'name: must be well-formed Unicode'],
    ['a lone surrogate in a custom field', '{"email":"a@example.org","custom_fields":{"\\ud800":"x"}}', 400, 'custom_fields'],
    ['__proto__', '{"email":"a@example.org","__proto__":{"is_admin":true}}', 400, 'unknown field "__proto__"'],
    ['constructor', '{"email":"a@example.org","custom_fields":{"constructor":{}}}', 400, 'unknown field "constructor"'],
    ['a huge number', '{"email":"a@example.org","list_ids":[1e400]}', 400, 'list_ids[0]: must be an integer'],
    ['a number beyond exact ones', '{"email":"a@example.org","list_ids":[9007199254740993]}', 400, 'list_ids[0]: must be'],
    ['a number of 400 digits', `{"email":"a@example.org","list_ids":[${'9'.repeat(400)}]}`, 400, 'list_ids[0]: must be'],
    ['minus zero', '{"email":"a@example.org","list_ids":[-0]}', 400, 'list_ids[0]: must be 1 or more'],
    ['a text of a number', '{"email":"a@example.org","list_ids":["1"]}', 400, 'list_ids[0]: must be an integer'],
    ['invalid UTF-8', Buffer.from('{"email":"a\xff@example.org"}', 'latin1'), 400, 'not valid UTF-8'],
    ['a million items', `{"email":"a@example.org","list_ids":[${'"x",'.repeat(1_000_000)}1]}`, 400, 'the body: at most 100,000 values'],
    ['90,000 items', `{"email":"a@example.org","list_ids":[${'"x",'.repeat(90_000)}1]}`, 400, 'list_ids: at most 10,000 items'],
    ['two million empty arrays', `{"list_ids":[${'[],'.repeat(1_700_000)}[]]}`, 400, 'the body: at most 100,000 values'],
    ['a million empty objects in an object', `{"a":{"b":${'{"c":'.repeat(800_000)}`, 400, 'the body: at most 100,000 values'],
    ['quotes, braces and commas in a text', `{"email":"a@example.org","name":${JSON.stringify('\\",[{'.repeat(200_000))}}`, 400, 'name: '],
    ['90,000 fields', `{${Array.from({ length: 90_000 }, (_, n) => `"f${n}":1`).join(',')}}`, 400, 'the body: at most 1,000 fields'],
  ])('%s', async (_what, body, status, message) => {
    const before = await contacts();
    expectRefused(await post(body), status, message);
    expect(await contacts()).toBe(before);
  });

  it('of two fields with one name the last counts, as in every JSON reader (RFC 8259 §4)', async () => {
    const answer = await post('{"email":"first@example.org","email":"last@example.org"}');
    expect(JSON.parse(answer.text)).toMatchObject({ email: 'last@example.org' });
  });

  it('a body over 5 MiB gives 413, one of exactly 5 MiB does not', async () => {
    const filled = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    expect(Buffer.byteLength(filled(5 * 1024 * 1024))).toBe(5 * 1024 * 1024);
    expectRefused(await post(filled(5 * 1024 * 1024)), 400, 'email: is required');
    expectRefused(await post(filled(5 * 1024 * 1024 + 1)), 413, 'larger than 5 MiB');
  });

  it('a body that only says it is larger, or comes in chunks, or unpacks to more, gives 413', async () => {
    expectRefused(await post('{', { 'Content-Length': String(6 * 1024 * 1024) }), 413);
    const chunk = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024)}\r\n`;
    expectRefused(await post(`${chunk.repeat(6)}0\r\n\r\n`, { 'Transfer-Encoding': 'chunked' }), 413);
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
    expectRefused(await post(bomb, { 'Content-Encoding': 'gzip' }), 413);
  });

  it('Content-Type: application/json in any case and with UTF-8; anything else is 415', async () => {
    const body = () => JSON.stringify({ email: `type-${Math.random()}@example.org` });
    for (const type of ['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])
      expect((await post(body(), { 'Content-Type': type })).status, type).toBe(201);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=utf-16',
      'application/json; charset=klingon',
      'x',
    ])
      expectRefused(await post(body(), { 'Content-Type': type }), 415);
    expectRefused(await post(body(), { 'Content-Encoding': 'rot13' }), 415);
  });
});

describe('hostile paths and methods', () => {
  it.each([
    '/contacts/1%2F2',
    '/contacts%2F1',
    '/contacts/%00',
    '/contacts/1%00',
    '/contacts/../users',
    '/contacts/%2e%2e/users',
    '/contacts//1',
    '/contacts/1/',
    '/CONTACTS',
    '/contacts/01',
    '/contacts/+1',
    '/contacts/1e0',
    '/contacts/2147483648',
    '/contacts/99999999999999999999',
    '/contacts/٣',
    '/constructor',
    '/__proto__',
    `/contacts/${'9'.repeat(8_000)}`,
  ])('%.40s is 404', async (path) => expectRefused(await raw(`GET /api/v1${encodeURI(path).replaceAll('%25', '%')} HTTP/1.1`), 404));

  it.each(['/contacts/%', '/contacts/%zz', '/contacts/%c3%28'])('a malformed escape (%s) is refused', async (path) => {
    expect([400, 404]).toContain((await raw(`GET /api/v1${path} HTTP/1.1`)).status);
  });

  it('a path longer than Node reads is 431, in the envelope', async () =>
    expectRefused(await raw(`GET /api/v1/${'x'.repeat(20_000)} HTTP/1.1`), 431, '16 KiB'));

  it.each(['PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH'])('%s, which no path has, is 404', async (method) =>
    expectRefused(await raw(`${method} /api/v1/contacts HTTP/1.1`), 404));

  it('CONNECT, which asks for a proxy, is 404 and not a closed line', async () =>
    expectRefused(await exchange(api.url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'), 404, 'CONNECT example.com:443'));

  it.each(['http://[/api/v1/me', 'http://[::1/api/v1/me'])('a target that is no URL (%s) is 400, in the envelope', async (target) =>
    expectRefused(await raw(`GET ${target} HTTP/1.1`), 400, 'not a valid URL'));

  it.each([
    'limit=5x',
    'limit=',
    'limit=1.5',
    'limit=1e1',
    'limit= 5',
    'limit=0x10',
    'limit=%D9%A3',
  ])('%s: must be an integer', async (query) =>
    expectRefused(await raw(`GET /api/v1/contacts?${query.replace(' ', '%20')} HTTP/1.1`), 400, 'limit: must be an integer'));

  it.each([
    ['limit=0', 'limit: must be 1 or more'],
    ['limit=-5', 'limit: must be 1 or more'],
    ['limit=201', 'limit: must be at most 200'],
    [`limit=${'9'.repeat(30)}`, 'limit: must be at most 200'],
    ['limit=5&limit=6', 'limit: must be an integer'],
    ['offset=-1', 'offset: must be 0 or more'],
    ['archived=yes', 'archived: must be true or false'],
    ['archived=', 'archived: must be true or false'],
    ['list_id=2147483648', 'list_id: must be at most 2147483647'],
    ['nothing=1', 'unknown query parameter "nothing"'],
    ['__proto__=1', 'unknown query parameter "__proto__"'],
    ['constructor=1', 'unknown query parameter "constructor"'],
    ['q=%00', 'q: must not contain NUL'],
    ['q=%ff%fe', 'q: must be well-formed UTF-8'],
    ['q=%ED%A0%80', 'q: must be well-formed UTF-8'],
    ['limit[]=5', 'unknown query parameter "limit[]"'],
  ])('%s: %s', async (query, message) => expectRefused(await raw(`GET /api/v1/contacts?${query} HTTP/1.1`), 400, message));

  it('an offset of any size is beyond the end: an empty page', async () => {
    for (const offset of ['1000000', '9'.repeat(16), '9'.repeat(300)])
      expect(await api.get(`/contacts?offset=${offset}`), offset).toMatchObject({ status: 200, body: { data: [] } });
  });

  it('text of a query may be anything', async () => {
    for (const q of ['%', '100%25', '%EF%BF%BD', "'; drop table contacts; --", '%25_%5C', '%F0%9F%98%80'])
      expect((await raw(`GET /api/v1/contacts?q=${q.replaceAll(' ', '+')} HTTP/1.1`)).status, q).toBe(200);
  });
});

describe('hostile headers', () => {
  it('no HTTP at all is 400, in the envelope', async () => expectRefused(await exchange(api.url, 'HELO there\r\n\r\n'), 400, 'malformed'));

  it('no Host is 400, in the envelope; HTTP/1.0 has none', async () => {
    const ask = (version: string) => exchange(api.url, `GET /api/v1/me HTTP/${version}\r\nConnection: close\r\n\r\n`);
    expectRefused(await ask('1.1'), 400, 'Host: is required');
    expectRefused(await ask('1.0'), 401);
  });

  it('headers larger than Node reads are 431, in the envelope', async () =>
    expectRefused(await raw('GET /api/v1/me HTTP/1.1', { 'X-Much': 'x'.repeat(20_000) }), 431));

  it('Content-Length and Transfer-Encoding together, which smuggle requests, are 400', async () =>
    expectRefused(await post('0\r\n\r\n', { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }), 400, 'malformed'));

  it('two Content-Lengths are 400', async () =>
    expectRefused(await exchange(api.url, 'POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'), 400));

  it('an expectation that nobody knows is 417', async () => expectRefused(await post('{}', { Expect: 'miracles' }), 417));

  it.each([
    'Bearer \xff\xfe',
    'Bearer ',
    `Bearer ${'x'.repeat(8_000)}`,
    'Bearer a, Bearer b',
    'Bearer ork_%00',
  ])('the key %.30j is 401', async (Authorization) => expectRefused(await raw('GET /api/v1/me HTTP/1.1', { Authorization }), 401));

  it('an address that a client claims is not believed unless a proxy is trusted', async () => {
    const answer = await post('{"email":"from-afar@example.org"}', { 'X-Forwarded-For': '203.0.113.9' });
    expect(answer.status).toBe(201);
    const rows = await app.db.query(sql`select host(ip) as ip from audit_log order by id desc limit 1`);
    expect(rows).toEqual([{ ip: '127.0.0.1' }]);
  });

  it('every answer has the headers of helmet, and is stored by nobody', async () => {
    for (const path of ['/me', '/nothing', '/contacts?limit=0']) {
      const { headers } = await api.get(path);
      expect(headers.get('content-security-policy'), path).toContain("default-src 'self'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      // Over plain HTTP it would be ignored (RFC 6797 §8.1).
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('the server is as well as before', async () => {
    expect(await api.get('/me')).toMatchObject({ status: 200 });
    expect(await api.get('/nothing')).toMatchObject(refusal(404, 'not_found'));
  });
});
