import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { DAY, type ManualClock } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { TEST_START, testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';

let app: App;
let clock: ManualClock;
let daemon: Daemon;
let admin: ApiClient;
let manager: ApiClient;
let reader: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  const installation = await testInstallation();
  ({ app, clock } = installation);
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
  manager = admin.as((await member(app, 'manager')).key);
  reader = admin.as((await member(app, 'view_only')).key);
  stranger = admin.as((await member(app, 'admin', { workspaceId: await workspace(app) })).key);
});
afterAll(() => daemon?.stop());
beforeEach(() => clock.set(TEST_START));

const make = async (body: object = {}, api = admin) => {
  const answer = await api.post('/templates', { name: 'T', body_html: '<p>Hi</p>', ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id as number;
};
const invalid = (message: string) => ({
  status: 400,
  body: { error: { code: 'invalid_request', message: expect.stringMatching(message) } },
});
const notFound = { status: 404, body: { error: { code: 'not_found' } } };
const audits = async (id: number) =>
  (
    await app.db.query<{ action: string }>(
      sql`select action from audit_log where resource_type = 'template' and resource_id = ${id} order by id`,
    )
  ).map((row) => row.action);

describe('POST /templates', () => {
  it('makes a template: 201, exactly the fields of the reference, the defaults', async () => {
    const { status, body } = await admin.post('/templates', { name: ' Opener ', body_html: '<p>Dear {{name}}</p>' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ id: expect.any(Number), name: 'Opener', type: 'template', subject: null, body_html: '<p>Dear {{name}}</p>' },
      ...{ is_archived: false, is_shared_to_all: true, created_at: '2026-07-07 12:00:00', updated_at: '2026-07-07 12:00:00' },
    });
    expect((await admin.get(`/templates/${body.id}`)).body).toEqual(body);
    expect(await audits(body.id)).toEqual(['template.create']);
  });

  it('a signature has no subject: one that is given is ignored', async () => {
    const id = await make({ type: 'signature', subject: 'S' });
    expect((await admin.get(`/templates/${id}`)).body).toMatchObject({ type: 'signature', subject: null });
    expect((await admin.patch(`/templates/${id}`, { subject: 'S', name: 'N' })).body).toMatchObject({ subject: null, name: 'N' });
  });

  it('two of the same name are no conflict', async () => {
    expect(await make({ name: 'Same' })).not.toBe(await make({ name: 'Same' }));
  });

  it.each([
    [{ body_html: 'x' }, '^name'],
    [{ name: 'T' }, '^body_html'],
    [{ name: '', body_html: 'x' }, '^name'],
    [{ name: 'x'.repeat(256), body_html: 'x' }, '^name: at most 255 characters'],
    [{ name: 'T', body_html: '' }, '^body_html'],
    [{ name: 'T', body_html: 'x'.repeat(256 * 1024 + 1) }, '^body_html: at most 256 KiB'],
    [{ name: 'T', body_html: 'x', type: 'snippet' }, '^type: must be template or signature'],
    [{ name: 'T', body_html: 'x', subject: 'x'.repeat(501) }, '^subject: at most 500 characters'],
    [{ name: 'T', body_html: 'x', subject: 'a\nb' }, '^subject'],
    [{ name: 'T', body_html: 'x', colour: 'red' }, 'colour'],
    [{ name: 'T', body_html: 'x', is_shared_to_all: 'false' }, '^is_shared_to_all'],
  ])('%j gives 400 that names the field', async (body, message) => {
    expect(await admin.post('/templates', body)).toMatchObject(invalid(message));
  });
});

describe('GET /templates', () => {
  it('lists by id what is not archived, filtered by type; archived=true lists what is', async () => {
    const owner = await member(app, 'admin', { workspaceId: await workspace(app) });
    const api = admin.as(owner.key);
    const [template, signature, archived] = [await make({}, api), await make({ type: 'signature' }, api), await make({}, api)];
    await api.post(`/templates/${archived}/archive`);
    const ids = async (query = '') => {
      const { body } = await api.get(`/templates${query}`);
      expect(body.pagination.total).toBe(body.data.length);
      return body.data.map((row: { id: number }) => row.id);
    };
    expect(await ids()).toEqual([template, signature]);
    expect(await ids('?type=signature')).toEqual([signature]);
    expect(await ids('?archived=true')).toEqual([archived]);
    expect(await ids('?archived=true&type=signature')).toEqual([]);
    expect((await api.get('/templates?limit=1&offset=1')).body).toMatchObject({
      data: [{ id: signature }],
      pagination: { total: 2, limit: 1, offset: 1 },
    });
  });

  it.each([
    'type=letter',
    'archived=1',
    'limit=0',
    'limit=201',
    'offset=-1',
    'q=x',
  ])('a bad query parameter gives 400: %s', async (query) => {
    expect(await admin.get(`/templates?${query}`)).toMatchObject(invalid(''));
  });
});

describe('PATCH /templates/{id}', () => {
  it('changes the included fields; a null takes the subject away; what GET gave can be sent back', async () => {
    const id = await make({ subject: 'S' });
    clock.advance(DAY);
    const { body } = await admin.patch(`/templates/${id}`, { name: 'N', body_html: '<b>B</b>', subject: null });
    expect(body).toMatchObject({ name: 'N', body_html: '<b>B</b>', subject: null, updated_at: '2026-07-08 12:00:00' });
    clock.advance(DAY);
    expect((await admin.patch(`/templates/${id}`, { ...body, type: 'signature', is_archived: true })).body).toEqual(body);
    expect(await audits(id)).toEqual(['template.create', 'template.update']);
  });

  it.each([
    [{ name: null }, '^name'],
    [{ body_html: null }, '^body_html'],
    [{ subject: 7 }, '^subject'],
    [{ is_shared_to_all: 'false' }, '^is_shared_to_all'],
    [{ colour: 1 }, 'colour'],
  ])('%j gives 400 that names the field', async (body, message) => {
    expect(await admin.patch(`/templates/${await make()}`, body)).toMatchObject(invalid(message));
  });

  it('only the creator and admins narrow who sees it; anyone else gets 404', async () => {
    const [own, other] = [await make({}, manager), await make()];
    expect((await manager.patch(`/templates/${own}`, { is_shared_to_all: false })).body.is_shared_to_all).toBe(false);
    expect((await manager.get(`/templates/${own}`)).status).toBe(200);
    expect((await reader.get(`/templates/${own}`)).status).toBe(404);
    expect(await manager.patch(`/templates/${other}`, { is_shared_to_all: false, name: 'X' })).toMatchObject(notFound);
    expect((await admin.get(`/templates/${other}`)).body).toMatchObject({ name: 'T', is_shared_to_all: true });
  });
});

describe('archive, unarchive, delete', () => {
  it('archive and unarchive answer the template, once and again', async () => {
    const id = await make();
    for (const [action, is_archived] of [
      ['archive', true],
      ['unarchive', false],
    ] as const)
      for (let times = 0; times < 2; times++) {
        const answer = await admin.post(`/templates/${id}/${action}`);
        expect(answer).toMatchObject({ status: 200, body: { id, is_archived } });
        expect(answer.body).toEqual((await admin.get(`/templates/${id}`)).body);
      }
    expect(await audits(id)).toEqual(['template.create', 'template.archive', 'template.unarchive']);
  });

  it('DELETE answers 204 without a body, and the template is gone', async () => {
    const id = await make();
    expect(await admin.delete(`/templates/${id}`)).toMatchObject({ status: 204, body: undefined });
    for (const answer of [
      await admin.get(`/templates/${id}`),
      await admin.delete(`/templates/${id}`),
      await admin.patch(`/templates/${id}`, { name: 7 }),
      await admin.post(`/templates/${id}/archive`),
    ])
      expect(answer).toMatchObject(notFound);
  });

  it('403 for view_only writes, 404 for another workspace', async () => {
    const id = await make();
    for (const api of [reader, stranger]) {
      const status = api === reader ? 403 : 404;
      expect((await api.patch(`/templates/${id}`, { name: '' })).status).toBe(status);
      expect((await api.delete(`/templates/${id}`)).status).toBe(status);
      expect((await api.post(`/templates/${id}/archive`)).status).toBe(status);
    }
    expect((await reader.post('/templates', {})).status).toBe(403);
    expect((await reader.get(`/templates/${id}`)).status).toBe(200);
    expect((await stranger.get(`/templates/${id}`)).status).toBe(404);
  });
});
