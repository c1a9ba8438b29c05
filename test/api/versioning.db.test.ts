import { describe, expect, it } from 'vitest';
import { makeOneOfEach, named, pathWith, send } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { servedInstallation } from '../support/served.ts';

const { api, app } = await servedInstallation({ webhooksAllowPrivate: true });
const { operations } = await operationsOf(api.url);

interface Promised {
  query?: string;
  /** The fields of a request; `!` marks required ones. */
  body?: string;
  status: number;
}

const PAGE = 'limit offset';
const STEP = 'subject body_html subject_b body_html_b wait_days';
const WINDOWS = 'sending_hour_start sending_hour_end sending_hour_start_b sending_hour_end_b';

const got = (query = ''): Promised => ({ query, status: 200 });
const created = (body: string): Promised => ({ body, status: 201 });
const done = (body = ''): Promised => ({ body, status: 200 });
const gone: Promised = { status: 204 };

const archivable = (path: string): Record<string, Promised> => ({
  [`DELETE ${path}`]: gone,
  [`POST ${path}/archive`]: done(),
  [`POST ${path}/unarchive`]: done(),
});
const shares = (type: string): Record<string, Promised> => ({
  [`GET /${type}/{id}/shares`]: got(),
  [`POST /${type}/{id}/shares`]: created('user_id!'),
  [`DELETE /${type}/{id}/shares/{user_id}`]: gone,
});

/** The contract of version 1: the requests of a client, and the statuses of success. */
const VERSION_1: Record<string, Promised> = {
  'GET /me': got(),
  'GET /campaigns': got(`archived status ${PAGE}`),
  'POST /campaigns': created('name! account_id!'),
  'GET /campaigns/{id}': got(),
  'PATCH /campaigns/{id}': done(
    `name account_id reply_to timezone sending_days ab_test_enabled ab_split_percent is_shared_to_all ${WINDOWS}`,
  ),
  'POST /campaigns/{id}/activate': done('starts_at'),
  'POST /campaigns/{id}/pause': done(),
  ...archivable('/campaigns/{id}'),
  'GET /campaigns/{id}/steps': got(),
  'POST /campaigns/{id}/steps': created(`${STEP.replace('body_html', 'body_html!')} kind`),
  'PATCH /campaigns/{id}/steps/{step_id}': done(STEP),
  'DELETE /campaigns/{id}/steps/{step_id}': gone,
  'GET /campaigns/{id}/contacts': got(`status ${PAGE}`),
  'POST /campaigns/{id}/contacts': { ...done('contact_ids list_ids'), query: 'details' },
  'GET /campaigns/{id}/events': got(`type ${PAGE}`),
  'GET /campaigns/{id}/stats': got(),
  'GET /contacts': got(`q list_id archived ${PAGE}`),
  'POST /contacts': created('email! name company custom_fields list_ids'),
  'GET /contacts/{id}': got(),
  'PATCH /contacts/{id}': done('name email company custom_fields is_shared_to_all'),
  ...archivable('/contacts/{id}'),
  'GET /contacts/{id}/campaigns': got(),
  'GET /contacts/search': got(`q! ${PAGE}`),
  'GET /lists': got(PAGE),
  'POST /lists': created('name!'),
  'GET /lists/{id}': got(),
  'PATCH /lists/{id}': done('name'),
  'DELETE /lists/{id}': gone,
  'GET /lists/{id}/members': got(PAGE),
  'POST /lists/{id}/members': done('contact_ids!'),
  'DELETE /lists/{id}/members/{contact_id}': gone,
  'GET /custom-fields': got(),
  'POST /custom-fields': created('name! field_type'),
  'DELETE /custom-fields/{id}': gone,
  'GET /suppressions': got(PAGE),
  'POST /suppressions': created('email! reason'),
  'DELETE /suppressions': { body: 'email!', status: 204 },
  'GET /templates': got(`type archived ${PAGE}`),
  'POST /templates': created('name! body_html! type subject'),
  'GET /templates/{id}': got(),
  'PATCH /templates/{id}': done('name subject body_html is_shared_to_all'),
  ...archivable('/templates/{id}'),
  'GET /accounts': got(PAGE),
  'GET /accounts/{id}': got(),
  'POST /accounts/{id}/pause': done(),
  'POST /accounts/{id}/resume': done(),
  ...archivable('/accounts/{id}'),
  'GET /events': got(`after_id expand campaign_id contact_id type since ${PAGE}`),
  ...shares('campaigns'),
  ...shares('contacts'),
  ...shares('templates'),
  ...shares('accounts'),
  'GET /users': got(),
  'GET /users/{id}': got(),
  'POST /users': created('name! email! role!'),
  'POST /users/{id}/disable': done(),
  'POST /users/{id}/enable': done(),
};

const words = (text = '') => text.split(' ').filter((word) => word !== '');
const demanded = (text = '') => words(text).filter((word) => word.endsWith('!'));
const marked = (names: readonly string[], required: readonly string[] = []) =>
  names.map((name) => (required.includes(name) ? `${name}!` : name));

describe('Versioning', () => {
  it('The version is the path prefix /api/v1, and nothing is served beside it', async () => {
    const { body } = await api.get('/openapi.json');
    expect(body).toMatchObject({ info: { version: '1' }, servers: [{ url: expect.stringMatching(/\/api\/v1$/) }] });
    for (const path of ['/me', '/api/me', '/v1/me', '/api/v2/me', '/api/V1/me', '/api/v1.0/me']) {
      const answer = await fetch(`${api.url}${path}`);
      expect(answer.status, path).toBe(404);
      expect(await answer.json(), path).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  it.each(
    Object.entries(VERSION_1),
  )('Version 1 continues to work: %s takes what it took, asks for no more, and answers success alike', (name, promised) => {
    const operation = operations.find((candidate) => named(candidate) === name);
    const query = operation?.query.map(({ name: parameter, required }) => (required ? `${parameter}!` : parameter)) ?? [];
    expect(query).toEqual(expect.arrayContaining(words(promised.query)));
    expect(query.filter((parameter) => parameter.endsWith('!')).toSorted()).toEqual(demanded(promised.query).toSorted());
    const { properties = {}, required } = operation?.body ?? {};
    const body = marked(Object.keys(properties), required);
    expect(body).toEqual(expect.arrayContaining(words(promised.body)));
    expect(body.filter((field) => field.endsWith('!')).toSorted()).toEqual(demanded(promised.body).toSorted());
    expect(Object.keys(operation?.responses ?? {})).toContain(String(promised.status));
  });

  it('the first keys of an installation belong to the default workspace, whose id is 1', async () => {
    expect((await api.get('/workspace')).body).toMatchObject({ id: 1, is_default: true });
  });

  it('Requests and responses are always JSON, but for what is downloaded', async () => {
    const ids = await makeOneOfEach(app, api, 1, 1);
    const last = (operation: (typeof operations)[number]) => (operation.method === 'DELETE' ? operation.path.split('/').length : 100);
    for (const operation of operations.toSorted((a, b) => last(b) - last(a))) {
      for (const client of [api, api.as(null)]) {
        const answer = await send(client, operation, pathWith(operation, ids));
        const type = answer.headers.get('content-type');
        if (answer.status === 204) expect([type, answer.body], named(operation)).toEqual([null, undefined]);
        else if (answer.status === 200 && operation.path === '/contacts/export') expect(type).toMatch(/^text\/csv(;|$)/);
        else expect(type, named(operation)).toMatch(/^application\/json(;|$)/);
      }
    }
  });
});
