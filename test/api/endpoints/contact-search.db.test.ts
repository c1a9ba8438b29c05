import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';

type Row = Record<string, unknown> & { id: number; name: string };

let installation: TestInstallation;
let app: App;
let daemon: Daemon;
let api: ApiClient;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  api = apiClient(daemon.url ?? '', installation.adminKey);
  await api.post('/custom-fields', { name: 'Favourite colour' });
  await api.post('/custom-fields', { name: 'Employees', field_type: 'number' });
  await api.post('/custom-fields', { name: 'Company' });
  for (const [name, company, more] of [
    ['Ada', 'Acme', { custom_fields: { favourite_colour: 'Green', employees: 10 } }],
    ['Grace', 'Acme Labs', { custom_fields: { employees: '9.5' } }],
    ['Joan', null, {}],
    ['Old Ada', 'Acme', {}],
    ['Old Grace', 'Bcme', {}],
  ] as const)
    await api.post('/contacts', { name, company, email: `${name.replace(' ', '.')}@example.com`, ...more });
  for (const { id } of await rowsOf('name:old')) await api.post(`/contacts/${id}/archive`);
});
afterAll(() => daemon?.stop());

const search = (q: string, more = '', as = api) => as.get(`/contacts/search?q=${encodeURIComponent(q)}${more}`);
async function rowsOf(q: string, as = api): Promise<Row[]> {
  const answer = await search(q, '', as);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}
const namesOf = async (q: string) => (await rowsOf(q)).map(({ name }) => name);

describe('GET /contacts/search', () => {
  it('answers contacts in the same shape as GET /contacts, paginated', async () => {
    const listed = await api.get('/contacts?q=acme&limit=1&offset=1');
    const found = await search('acme', '&limit=1&offset=1');
    expect(found).toMatchObject({ status: 200, body: listed.body });
    expect(found.body.pagination).toEqual({ total: 2, limit: 1, offset: 1 });
    expect(found.body.data[0]).toEqual((await api.get(`/contacts/${found.body.data[0].id}`)).body);
    expect((await search('acme')).body.pagination).toEqual({ total: 2, limit: 50, offset: 0 });
  });

  it('limit and offset have the bounds of every list', async () => {
    for (const more of ['&limit=0', '&limit=201', '&limit=5x', '&offset=-1', '&archived=true', '&query=x'])
      expect(await search('acme', more)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(await search('acme', '&offset=1000000')).toMatchObject({ status: 200, body: { data: [], pagination: { total: 2 } } });
  });

  it('q is required and given once', async () => {
    for (const path of ['/contacts/search', '/contacts/search?q=a&q=b'])
      expect(await api.get(path)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringContaining('q') } },
      });
  });

  it('is found before /contacts/{id}, and every role may search', async () => {
    const { key } = await member(app, 'view_only');
    expect(await search('ada', '', api.as(key))).toMatchObject({ status: 200, body: { pagination: { total: 1 } } });
    expect((await search('ada', '', api.as(null))).status).toBe(401);
  });

  it('a workspace searches its own contacts, with its own fields', async () => {
    const { key } = await member(app, 'admin', { workspaceId: await workspace(app) });
    expect(await rowsOf('archived:any', api.as(key))).toEqual([]);
    expect(await search('favourite_colour:green', '', api.as(key))).toMatchObject({ status: 400 });
  });
});

describe('Search rules: archived contacts are excluded unless the query asks', () => {
  it.each([
    ['ada', ['Ada']],
    ['ada archived:true', ['Old Ada']],
    ['archived:true', ['Old Ada', 'Old Grace']],
    ['is:archived', ['Old Ada', 'Old Grace']],
    ['ada archived:any', ['Ada', 'Old Ada']],
    ['archived:false', ['Ada', 'Grace', 'Joan']],
    ['-archived:true', ['Ada', 'Grace', 'Joan']],
    ['joan OR (grace archived:true)', ['Joan', 'Old Grace']],
    ['ada OR archived:true', ['Ada', 'Old Ada', 'Old Grace']],
    ['"archived:true" OR ada', ['Ada']],
    ['company:none', ['Joan']],
  ])('%s', async (q, names) => expect(await namesOf(q)).toEqual(names));
});

describe('custom fields', () => {
  it.each([
    ['cf.favourite_colour:green', ['Ada']],
    ['favourite_colour:GREE*', ['Ada']],
    ['Favourite_Colour:none company:acme', ['Grace']],
    ['employees:>9.5', ['Ada']],
    ['employees:9.50', ['Grace']],
    ['has:employees', ['Ada', 'Grace']],
    ['cf.company_2:*', []],
    ['company:acme', ['Ada', 'Grace']],
  ])('%s', async (q, names) => expect(await namesOf(q)).toEqual(names));

  it('a deleted field is unknown', async () => {
    const { body: field } = await api.post('/custom-fields', { name: 'Gone' });
    expect((await search('gone:x')).status).toBe(200);
    await api.delete(`/custom-fields/${field.id}`);
    expect(await search('gone:x')).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('unknown field "gone"') } },
    });
  });
});

describe('an invalid query is 400 invalid_request with the reason, never an empty result', () => {
  const FIELDS =
    'id, name, email, company, domain, list, list_id, suppressed, archived, shared, owner, created, updated, campaign, campaign_id, ' +
    'status, step, sent, opened, clicked, replied, bounced, failed, enrolled, unsubscribed, contacted, last_sent, last_replied, ' +
    'next_send, cf.favourite_colour, cf.employees, cf.company_2, has, is';
  it.each([
    ['ada foo:bar', `unknown field "foo" at position 5; known fields: ${FIELDS}`],
    ['ada cf.foo:bar', `unknown field "cf.foo" at position 5; known fields: ${FIELDS}`],
    ['Re: hello', `unknown field "re" at position 1; known fields: ${FIELDS}`],
    ['created:2026-13-01', 'malformed date "2026-13-01" for created; use YYYY-MM-DD, RFC 3339, or an age such as 7d'],
    ['replied:perhaps', 'malformed date "perhaps" for replied; use YYYY-MM-DD, RFC 3339, or an age such as 7d'],
    ['step:abc', '"abc" is not a number for step'],
    ['employees:many', '"many" is not a number for cf.employees'],
    ['status:open', 'unknown status "open"; use active, replied, stopped, bounced, completed'],
    ['name:"ada', 'unterminated quote at position 6'],
    ['ada (b', 'unbalanced parenthesis at position 5'],
    ['ada b)', 'unbalanced parenthesis at position 6'],
    ['ada OR', 'dangling OR at position 5'],
    ['company:', 'empty value for company'],
    ['company:""', 'empty value for company'],
    ['company:acme,', 'empty value for company'],
    ['created:>', 'empty value for created'],
    ['created:2026-01-01..', 'empty value for created'],
    ['foo:', `unknown field "foo" at position 1; known fields: ${FIELDS}`],
    ['', 'query is empty'],
    [' ', 'query is empty'],
    ['a'.repeat(1_001), 'query is longer than 1000 characters'],
    ['a '.repeat(51), 'more than 50 terms'],
    ['archived:maybe', '"maybe" is not true or false for archived'],
    ['shared:>true', '">" does not apply to shared; quote the value to search for it literally'],
    ['name:a..b', 'a range does not apply to name; quote the value to search for it literally'],
    [
      'is:happy',
      'unknown value "happy" for is; use suppressed, archived, shared, sent, opened, clicked, replied, bounced, failed, enrolled, unsubscribed',
    ],
    [
      'has:id',
      'unknown value "id" for has; use name, company, list, owner, campaign, sent, opened, clicked, replied, bounced, failed, enrolled, unsubscribed, contacted, last_sent, last_replied, next_send, cf.favourite_colour, cf.employees, cf.company_2',
    ],
    ['id:5..1', 'the range 5..1 for id runs backwards'],
  ])('%j', async (q, message) => {
    expect(await search(q)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', message } } });
  });
});
