import { beforeAll, expect, it } from 'vitest';
import { recordEvents } from '../../src/events/index.ts';
import type { ApiClient } from '../support/api-client.ts';
import { type Ids, makeOneOfEach, named, pathWith, send } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { member } from '../support/people.ts';
import {
  eventOf,
  insertAccount,
  insertCampaign,
  insertContact,
  insertLoggedEnrolment,
  insertMail,
  insertReply,
  insertRow,
} from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

// docs/security.md: "A record that a caller can't see does not exist for them."

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

/** Removes values that change by themselves from a response. */
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

/** Returns the paths at which two values differ, such as `data.email`; without indexes. */
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

/** Suppressions are visible to the whole workspace, because nobody may email them; a list counts all its contacts. */
const ALWAYS = /^GET \/(suppressions|lists(\/\{id\})? \w+ \S*contact_count$)/;

it.each([
  {
    added: 'people on a shared campaign',
    add: () => addPerson(ids.campaigns ?? 0, 'ada-0@example.org'),
    // The numbers of a campaign, its account and its report are the same for every user who sees the campaign.
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
