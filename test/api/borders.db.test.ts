import { beforeAll, describe, expect, it } from 'vitest';
import { runImport } from '../../src/contacts/import-jobs/index.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import type { ApiClient } from '../support/api-client.ts';
import { formOf } from '../support/form.ts';
import { type Ids, makeOneOfEach, named, pathWith, send } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { member } from '../support/people.ts';
import {
  eventOf,
  insertAccount,
  insertCampaign,
  insertContact,
  insertEnrolment,
  insertList,
  insertLoggedEnrolment,
  insertMail,
  insertReply,
  insertRow,
} from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

// docs/security.md: "What a caller can't see answers as if it did not exist."

const { api, app } = await servedInstallation({ webhooksAllowPrivate: true });
const { operations } = await operationsOf(api.url);
const QUERIES = [
  ...['a', 'example', 'ada@', '*', 'email:example.org', 'domain:example.org', 'name:*', 'company:*', 'company:None', 'cf.f:*'],
  ...['is:archived', '-is:archived', 'is:suppressed', 'is:shared', 'is:replied', 'has:name', 'has:list', 'has:replied', 'has:last_sent'],
  ...['list:L', 'campaign:C', 'status:active', 'step:1', 'replied:>2020-01-01', 'created:>2020-01-01', 'NOT email:example.org'],
];

let ids: Ids;
let readers: Record<string, ApiClient>;
let manager: ApiClient;

beforeAll(async () => {
  ids = await makeOneOfEach(app, api, 1, 1);
  await api.post(`/campaigns/${ids.campaigns}/activate`);
  manager = api.as((await member(app, 'manager')).key);
  readers = { manager, view_only: api.as((await member(app, 'view_only')).key) };
});

/** Answers without what changes by itself. */
const stable = (body: unknown): unknown => JSON.parse(JSON.stringify(body).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then'));

async function readAll(client: ApiClient): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const path = pathWith(operation, ids);
    const paths = path.endsWith('/search') ? QUERIES.map((query) => `${path}?q=${encodeURIComponent(query)}`) : [path];
    for (const one of paths) {
      const { status, body } = await send(client, operation, one);
      answers.set(`${named(operation)}${one.slice(path.length)}`, { status, body: stable(body ?? null) });
    }
  }
  return answers;
}

/** The places in two values that differ, such as `data.0.email`; indexes are left out. */
function differing(one: unknown, other: unknown, place = ''): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return [place];
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return [place];
  const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return fields.flatMap((field) =>
    differing(
      (one as Record<string, unknown>)[field],
      (other as Record<string, unknown>)[field],
      Array.isArray(one) ? place : `${place}.${field}`,
    ),
  );
}

/** Adds a contact that only the admin sees to a campaign: emailed, fetched and answered, on the shared list, and suppressed. */
async function addPerson(campaign: number, email: string): Promise<void> {
  const now = app.clock.now();
  const contact_id = await insertContact(app, { ...HIDDEN, name: 'Ada', company: 'Hidden Co', email });
  const enrolment = await insertLoggedEnrolment(app, campaign, { contact_id });
  const outbox_id = await insertMail(app, enrolment);
  await insertReply(app, enrolment);
  await insertRow(app, 'tracking_hits', { workspace_id: 1, outbox_id, kind: 'opened', at: now });
  await insertRow(app, 'tracking_hits', { workspace_id: 1, outbox_id, kind: 'clicked', at: now, url: 'https://example.com/x' });
  await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'sent'), eventOf(app, enrolment, 'opened')]));
  await api.post(`/lists/${ids.lists}/members`, { contact_ids: [contact_id] });
  await api.post('/suppressions', { email });
}

async function addCampaigns(): Promise<void> {
  const now = app.clock.now();
  const account = await insertAccount(app, HIDDEN);
  await addPerson(await insertCampaign(app, { ...HIDDEN, name: 'Hidden', account_id: ids.accounts }), 'ada-1@example.org');
  await addPerson(await insertCampaign(app, { ...HIDDEN, name: 'Elsewhere', account_id: account }), 'ada-2@example.org');
  const template = { workspace_id: 1, name: 'Hidden', type: 'template', body_html: 'B', created_at: now, updated_at: now };
  await insertRow(app, 'templates', { ...template, ...HIDDEN });
}

const HIDDEN = { is_shared_to_all: false, created_by: 1 };

/** Nobody in the workspace may write to a suppressed address, whoever knows it; a list counts everyone on it. */
const ALWAYS = /^GET \/(suppressions|lists(\/\{id\})? \w+ \S*contact_count$)/;

it.each([
  {
    added: 'people on a shared campaign',
    add: () => addPerson(ids.campaigns ?? 0, 'ada-0@example.org'),
    // The numbers of a campaign, its account and its report are the same for everybody who sees the campaign.
    same: /^GET \/(campaigns(\/(\{id\}(\/(stats|report))?|grouped))? |reports |accounts\/overview )/,
  },
  {
    added: 'campaigns, accounts, templates and the people on them',
    add: addCampaigns,
    // The numbers of an account count all that it sends.
    same: /^GET \/accounts\/overview /,
  },
])('every GET and 25 searches answer the same before and after hidden things are added: $added', async ({ add, same }) => {
  const before = new Map<string, Map<string, unknown>>();
  for (const [role, client] of Object.entries(readers)) before.set(role, await readAll(client));
  await add();
  const told: string[] = [];
  for (const [role, client] of Object.entries(readers))
    for (const [asked, answer] of await readAll(client))
      for (const place of new Set(differing(before.get(role)?.get(asked), answer))) told.push(`${asked} ${role} ${place}`);
  expect((await api.get('/contacts?q=ada-')).body.data).not.toEqual([]);
  expect(told.filter((line) => !ALWAYS.test(line) && !same.test(line))).toEqual([]);
});

describe('a hidden contact is not written by whoever can not see it, and its values are not told', () => {
  const PRIVATE = { name: 'Private Person', company: 'Hidden Co', is_shared_to_all: false };
  const uploaded = async (csv: string, fields: object) => {
    const { body } = await manager.post('/imports', formOf({ file: csv, ...fields }));
    await runImport(app, body.id, new AbortController().signal);
    const problems = (await manager.get(`/imports/${body.id}/problems`)).body.data;
    return { ...(await manager.get(`/imports/${body.id}`)).body.result, reasons: problems.map(({ reason }: { reason: string }) => reason) };
  };
  const hidden = async (email: string) => (await api.post('/contacts', { email, ...PRIVATE })).body.id as number;
  const stored = async (id: number) => {
    const { name, company } = (await api.get(`/contacts/${id}`)).body;
    const lists = await app.db.query(sql`select list_id from list_members where contact_id = ${id}`);
    const enrolments = await app.db.query(sql`select id from enrolments where contact_id = ${id}`);
    return { name, company, lists: lists.length, enrolments: enrolments.length };
  };
  const untouched = { name: PRIVATE.name, company: PRIVATE.company, lists: 0, enrolments: 0 };

  it('by an import', async () => {
    const id = await hidden('vip@target.example');
    const mine = (await manager.post('/contacts', { email: 'mine@target.example', name: 'Mine' })).body.id;
    const csv = 'email,name,company\nvip@target.example,OVERWRITTEN,Evil Co\nmine@target.example,Changed,Mine Co\n';
    const result = await uploaded(csv, { update: true, list: 'M2 list' });
    expect(result).toMatchObject({ imported: 0, updated: 1, existing: 2, added_to_list: 1 });
    expect(result.reasons).toEqual(["another contact, which the importer can't see, has this address"]);
    expect(await stored(id)).toEqual(untouched);
    expect(await stored(mine)).toMatchObject({ name: 'Changed', lists: 1 });
  });

  it('by a dry run: a right guess of a value answers as a wrong one', async () => {
    await hidden('oracle@target.example');
    await api.post(`/contacts/${await hidden('archived@target.example')}/archive`);
    const guess = (address: string, column: string, value: string) =>
      uploaded(`email,${column}\n${address}@target.example,${value}\n`, { update: true, dry_run: true });
    const { ignored_columns: _, ...wrong } = await guess('oracle', 'company', 'Other Co');
    for (const [address, column, value] of [
      ['oracle', 'company', PRIVATE.company],
      ['oracle', 'name', PRIVATE.name],
      ['archived', 'name', 'Anybody'],
    ] as const)
      expect(await guess(address, column, value)).toMatchObject(wrong);
  });

  it('by a batch, a list, an enrolment, a campaign file, a share, a change or a removal', async () => {
    const id = await hidden('batch@target.example');
    const batch = await manager.post('/contacts/batch', { contacts: [{ email: 'batch@target.example', name: 'x' }], update: true });
    expect(batch.body.data[0]).toMatchObject({ status: 'conflict', id: null });
    const list = await insertList(app);
    await manager.post(`/lists/${list}/members`, { contact_ids: [id] });
    await manager.post(`/campaigns/${ids.campaigns}/contacts`, { contact_ids: [id] });
    await manager.post(`/campaigns/${ids.campaigns}/contacts`, { query: 'email:batch@target.example' });
    await manager.post(`/lists/${list}/members`, { query: 'email:batch@target.example' });
    expect((await manager.patch(`/contacts/${id}`, { name: 'x' })).status).toBe(404);
    expect((await manager.delete(`/contacts/${id}`)).status).toBe(404);
    expect((await manager.post(`/contacts/${id}/archive`)).status).toBe(404);
    expect((await manager.post(`/contacts/${id}/shares`, { user_id: 1 })).status).toBe(404);
    expect(await stored(id)).toEqual(untouched);
  });

  it('by enrolling a list on which a hidden contact is', async () => {
    const id = await hidden('listed@target.example');
    const list = await insertList(app, [id]);
    const campaign = await insertCampaign(app, { status: 'draft' });
    await manager.post(`/campaigns/${campaign}/contacts`, { list_id: list });
    expect((await stored(id)).enrolments).toBe(0);
  });

  it('by applying campaign files: a hidden campaign of that name is not changed', async () => {
    const account = await insertAccount(app, { email: 'shared@ours.example' });
    const campaign = await insertCampaign(app, { name: 'Secret plan', account_id: account, is_shared_to_all: false, status: 'draft' });
    await insertEnrolment(app, campaign);
    await manager.post('/campaigns/apply', {
      campaigns: [{ name: 'Secret plan', account: 'shared@ours.example', steps: [{ subject: 'changed', text: 'changed' }] }],
    });
    expect((await api.get(`/campaigns/${campaign}/steps`)).body.data[0].body_html).toBe('<p>Hi</p>');
  });
});
