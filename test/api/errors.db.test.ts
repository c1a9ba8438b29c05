import { beforeAll, describe, expect, it } from 'vitest';
import { revokeKey } from '../../src/access/index.ts';
import type { ApiAnswer, ApiClient } from '../support/api-client.ts';
import { member, workspace } from '../support/people.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertReply } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const { api, app, caller } = await servedInstallation();

let manager: ApiClient;
let reader: ApiClient;
let contact: { id: number; email: string };

beforeAll(async () => {
  manager = api.as((await member(app, 'manager')).key);
  reader = api.as((await member(app, 'view_only')).key);
  contact = (await api.post('/contacts', { email: 'twice@example.org' })).body;
  await api.post('/custom-fields', { name: 'Size', field_type: 'number' });
});

const draft = (steps: Record<string, unknown>[] = []) => insertCampaign(app, { status: 'draft' }, steps);
const activate = (campaign: number) => api.post(`/campaigns/${campaign}/activate`);
const withCustom = (custom_fields: object) => api.patch(`/contacts/${contact.id}`, { custom_fields });

/** The table of the specification, row by row: the conditions for each status, and a part of the message. */
const CONDITIONS: Record<string, [condition: string, ask: () => Promise<ApiAnswer>, message: string][]> = {
  '400 invalid_request': [
    ['Missing field', () => api.post('/lists', {}), 'name: is required'],
    ['Invalid field', () => api.post('/lists', { name: 7 }), 'name: must be a string'],
    ['Field of the wrong kind', () => withCustom([]), 'custom_fields: must be an object'],
    ['Field that is none', () => api.post('/lists', { name: 'L', colour: 1 }), 'unknown field "colour"'],
    ['Bad query parameter', () => api.get('/campaigns?status=open'), 'status: must be one of draft, active, paused, completed'],
    ['Query parameter that is none', () => api.get('/lists?q=x'), 'unknown query parameter "q"'],
    ['One named like a field of a search', () => api.get('/contacts/search?q=a&archived=true'), 'unknown query parameter "archived"'],
    ['Invalid search query', () => api.get('/contacts/search?q=colour:red'), 'unknown field "colour" at position 1'],
    ['Custom field value that mismatches its type', () => withCustom({ size: 'large' }), 'custom_fields.size: must be a number'],
    ['Custom field value with an unknown key', () => withCustom({ colour: 'red' }), 'custom_fields: unknown key "colour"'],
    ['Campaign activation without a step', async () => activate(await draft()), 'no step'],
    ['Campaign activation without an enrolled contact', async () => activate(await draft([{}])), 'no enrolled contact'],
    [
      'account_id that does not refer to a live account',
      async () => api.post('/campaigns', { name: 'C', account_id: await insertAccount(app, { is_archived: true }) }),
      'account_id: no live sending account',
    ],
  ],
  '401 unauthorized': [
    ['Missing key', () => api.as(null).get('/me'), 'Authorization: Bearer'],
    ['Malformed key', () => api.as('secret').get('/me'), 'Authorization: Bearer'],
    [
      'Revoked key',
      async () => {
        const { key, keyId } = await member(app, 'manager');
        await revokeKey(app, caller, keyId);
        return api.as(key).get('/me');
      },
      'Authorization: Bearer',
    ],
  ],
  '403 forbidden': [
    ['view_only key writing', () => reader.post('/lists', { name: 'L' }), 'view_only'],
    ['non-admin key on user endpoints', () => manager.get('/users'), 'admin'],
  ],
  '404 not_found': [
    ['No such resource', () => api.get('/contacts/999999'), 'contact not found'],
    ['No such path', () => api.get('/colours'), '/colours not found'],
    ['No such method', () => api.patch('/contacts', {}), 'PATCH /api/v1/contacts not found'],
    [
      'The resource is in another workspace',
      async () => api.get(`/contacts/${await insertContact(app, { workspace_id: await workspace(app) })}`),
      'contact not found',
    ],
    [
      "The key's owner may not see it",
      async () => manager.get(`/contacts/${await insertContact(app, { is_shared_to_all: false })}`),
      'contact not found',
    ],
    ['Non-creator, non-admin attempt on share management', () => manager.get(`/contacts/${contact.id}/shares`), 'contact not found'],
  ],
  '409 conflict': [
    [
      'Creating a contact whose email belongs to a live contact',
      () => api.post('/contacts', { email: contact.email }),
      'a contact with the address twice@example.org already exists',
    ],
  ],
};

describe.each(Object.entries(CONDITIONS))('Errors: %s', (name, conditions) => {
  const [status, code = ''] = name.split(' ');

  it.each(conditions)('%s', async (_condition, ask, message) => {
    const answer = await ask();
    expect(answer).toMatchObject(refusal(Number(status), code, message));
    // The body is the envelope and nothing else.
    expect(answer.body).toEqual({ error: { code, message: answer.body.error.message } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('Errors: 500 internal_error', () => {
  it('Server fault; retrying is safe: nothing was half done, and nothing of the inside is told', async () => {
    const audits = async () => (await app.db.pool.query("select 1 from audit_log where action = 'list.create'")).rowCount;
    const before = await audits();
    await app.db.pool.query('alter table list_members rename to list_members_away');
    await app.db.pool.query('alter table lists rename to lists_away');
    const faults = [await api.post('/lists', { name: 'L' }), await api.get('/lists')];
    await app.db.pool.query('alter table lists_away rename to lists');
    await app.db.pool.query('alter table list_members_away rename to list_members');
    for (const { status, body } of faults) {
      expect(status).toBe(500);
      expect(body).toEqual({
        error: { code: 'internal_error', message: 'something went wrong on the server; the request can be tried again' },
      });
    }
    expect(await audits()).toBe(before);
    expect((await api.post('/lists', { name: 'L' })).status).toBe(201);
    expect(await audits()).toBe((before ?? 0) + 1);
  });
});

/** Decision B39: "401, then 403 …, then 404, then 400, then 409". */
describe('Errors: 400 comes before 409', () => {
  const URL_ = 'https://example.com/hook';

  it.each([
    ['list_ids', 'there is no list 999999', { list_ids: [999_999] }],
    ['custom_fields', 'unknown key "colour"', { custom_fields: { colour: 'red' } }],
  ])('a contact with a taken address and bad %s', async (field, message, more) =>
    expect(await api.post('/contacts', { email: contact.email, ...more })).toMatchObject(
      refusal(400, 'invalid_request', `${field}: ${message}`),
    ));

  it('a webhook beyond the 50th with a bad field', async () => {
    const theirs = api.as((await member(app, 'admin', { workspaceId: await workspace(app) })).key);
    for (let made = 0; made < 50; made++) await theirs.post('/webhooks', { url: URL_ });
    expect(await theirs.post('/webhooks', { url: URL_ })).toMatchObject(refusal(409, 'conflict'));
    for (const [field, bad] of Object.entries({ url: 'ftp://example.com', types: ['event.sold'], campaign_ids: [999_999] }))
      expect(await theirs.post('/webhooks', { url: URL_, [field]: bad })).toMatchObject(refusal(400, 'invalid_request', `${field}: `));
  });

  it('a campaign that is in a rotation group, over an account that does not exist', async () => {
    const group = { campaign_id: await draft([{}]), account_ids: [await insertAccount(app)] };
    expect((await api.post('/rotations', group)).status).toBe(201);
    expect(await api.post('/rotations', group)).toMatchObject(refusal(409, 'conflict', 'already in rotation group'));
    expect(await api.post('/rotations', { ...group, account_ids: [999_999] })).toMatchObject(
      refusal(400, 'invalid_request', 'account_ids: no live sending account has the id 999999'),
    );
  });
});

/** The same decision. */
describe('Errors: 400 comes before 409, where something is sent', () => {
  it.each([
    ['to', { to: [999_999] }],
    ['campaign_id', { campaign_id: 999_999 }],
    ['step_order', { step_order: 9 }],
  ])('a placement test of a paused account to a mailbox that nobody reads, with a bad %s', async (field, bad) => {
    const account = await insertAccount(app, { status: 'paused', pause_reason: 'manual' });
    await insertCampaign(app, { account_id: account });
    const asked = { to: [await insertAccount(app)] };
    const start = (body: object) => api.post(`/accounts/${account}/placements`, body);
    expect(await start({ ...asked, ...bad })).toMatchObject(refusal(400, 'invalid_request', `${field}: `));
    expect(await start(asked)).toMatchObject(refusal(409, 'conflict', 'the account is paused'));
  });

  it.each([
    ['contact_id', { contact_id: 999_999 }],
    ['step_order', { step_order: 9 }],
  ])('a test email to a suppressed address with a bad %s', async (field, bad) => {
    const to = 'opted-out@example.org';
    expect((await api.post('/suppressions', { email: to, reason: 'asked' })).status).toBe(201);
    const test = `/campaigns/${await draft([{}])}/test`;
    expect(await api.post(test, { to, ...bad })).toMatchObject(refusal(400, 'invalid_request', `${field}: `));
    expect(await api.post(test, { to })).toMatchObject(refusal(409, 'conflict', 'is suppressed'));
  });

  it('an answer with a copy to a suppressed address, and a bad time or attachment', async () => {
    const cc = ['no-copies@example.org'];
    expect((await api.post('/suppressions', { email: cc[0], reason: 'asked' })).status).toBe(201);
    const reply = await insertReply(app, await insertEnrolment(app, await draft([{}])));
    const answer = (more: object) => api.post(`/replies/${reply}/answer`, { text: 'Hello', cc, ...more });
    for (const [field, bad] of Object.entries({
      send_at: '2020-01-01T00:00:00Z',
      attachments: [{ name: 'a.txt', sha256: '0'.repeat(64) }],
    }))
      expect(await answer({ [field]: bad })).toMatchObject(refusal(400, 'invalid_request', `${field}: `));
    expect(await answer({})).toMatchObject(refusal(409, 'conflict', 'cc: no-copies@example.org is suppressed'));
  });
});

describe('Errors: the message', () => {
  it('a missing field is said to be required, a wrong one what it must be', async () => {
    for (const [body, message] of [
      [{ name: ' ' }, 'name: must not be empty'],
      [{ name: 'x'.repeat(256) }, 'name: at most 255 characters'],
      [{ name: 'a\nb' }, 'name: must not contain line breaks'],
    ] as const)
      expect(await api.post('/lists', body)).toMatchObject(refusal(400, 'invalid_request', message));
    for (const contact_ids of [null, 'x', { 0: 1 }])
      expect(await api.post(`/campaigns/${await draft()}/contacts`, { contact_ids })).toMatchObject(
        refusal(400, 'invalid_request', 'contact_ids: must be an array of integers'),
      );
    expect(await api.post('/contacts', { email: 'new@example.org', list_ids: 7 })).toMatchObject(
      refusal(400, 'invalid_request', 'list_ids: must be an array'),
    );
  });

  it('401 names the scheme in WWW-Authenticate (RFC 9110 §11.6.1)', async () => {
    expect((await api.as(null).get('/me')).headers.get('www-authenticate')).toBe('Bearer');
  });
});
