import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/statement.ts';
import { member, workspace } from '../../support/people.ts';
import { insertContact, insertList } from '../../support/rows.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

const { app, api, url } = await servedInstallation();

/** Returns the ids in an export, in its order. */
const idsIn = (text: string): number[] => (parse(text, { columns: true }) as { id: string }[]).map(({ id }) => Number(id));
const exported = async (query = '', as = api) => idsIn((await as.get(`/contacts/export${query}`)).body);

let shared: number;
let hidden: number;
beforeAll(async () => {
  shared = await insertContact(app, { email: 'shared@example.org', company: '=HYPERLINK("x")' });
  hidden = await insertContact(app, { email: 'hidden@example.org', is_shared_to_all: false, created_by: 1 });
  await insertContact(app, { email: 'old@example.org', is_archived: true });
  await insertContact(app, { email: 'away@example.org', workspace_id: await workspace(app) });
});

describe('GET /contacts/export', () => {
  it('sends CSV, with what a spreadsheet would compute made harmless', async () => {
    const { status, headers, body } = await api.get('/contacts/export');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const rows = parse(body, { columns: true }) as { id: string; company: string }[];
    expect(rows.map(({ id, company }) => [Number(id), company])).toEqual([
      [shared, '\'=HYPERLINK("x")'],
      [hidden, ''],
    ]);
  });

  it('sends JSON lines, as GET /contacts/{id} shows each contact', async () => {
    const { headers, body } = await api.get('/contacts/export?format=ndjson');
    expect(headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect(lines).toEqual([(await api.get(`/contacts/${shared}`)).body, (await api.get(`/contacts/${hidden}`)).body]);
  });

  it('takes a query and a list', async () => {
    const listId = await insertList(app, [shared]);
    expect(await exported('?q=email:hidden*')).toEqual([hidden]);
    expect(await exported('?q=archived:any')).toHaveLength(3);
    expect(await exported(`?list_id=${listId}`)).toEqual([shared]);
    expect(await exported('?list_id=2000000000')).toEqual([]);
  });

  it('is for every role, and has what the key may see and nothing else', async () => {
    for (const role of ['manager', 'view_only'] as const) {
      const { key } = await member(app, role);
      expect(await exported('', api.as(key)), role).toEqual([shared]);
    }
    expect(await api.as('ork_wrong').get('/contacts/export')).toMatchObject({ status: 401 });
  });

  it.each([
    ['?format=xlsx', 'format'],
    ['?q=foo:bar', 'unknown field "foo"'],
    ['?list_id=x', 'list_id'],
    ['?limit=5', 'limit'],
  ])('%s gives 400', async (query, message) => {
    expect(await api.get(`/contacts/export${query}`)).toMatchObject(refusal(400, 'invalid_request', message));
  });

  it('/trpc, which has no plain response for it, holds nothing back for it', async () => {
    const input = encodeURIComponent('{}');
    const answer = await fetch(`${url}/trpc/search.export?input=${input}`, {
      headers: { authorization: `Bearer ${(await member(app, 'admin')).key}` },
    });
    expect(answer.status).toBe(415);
    expect(await snapshots()).toBe(0);
  });
});

/** Counts the exports that hold a connection. */
const snapshots = async () =>
  (
    await app.db.query(sql`select from pg_stat_activity where datname = current_database() and query like '%exported%' and pid <> pg_backend_pid()
    and state <> 'idle'`)
  ).length;
