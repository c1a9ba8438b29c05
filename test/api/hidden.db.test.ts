import { beforeAll, describe, expect, it } from 'vitest';
import { createApi, openStream } from '../../src/dashboard/connection.ts';
import { recordEvents } from '../../src/events/index.ts';
import type { Push } from '../../src/live/index.ts';
import type { ApiClient } from '../support/api-client.ts';
import { callNative, type NativeProcedure, procedures } from '../support/native.ts';
import { type Ids, makeOneOfEach, named, pathWith, send } from '../support/one-of-each.ts';
import { operationsOf } from '../support/openapi.ts';
import { member } from '../support/people.ts';
import { type Enrolled, eventOf, insertAccount, insertCampaign, insertContact, insertEnrolment, insertRow } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';
import { waitUntil } from '../support/wait-until.ts';

const { api, app, adminKey } = await servedInstallation({ webhooksAllowPrivate: true });
const { operations } = await operationsOf(api.url);

/** Part of every text about the hidden contacts. */
const MARK = 'zzmark';
let ids: Ids;
let managerKey: string;
let manager: ApiClient;
let call: number;

/** Two private contacts of the admin, on a list and in the log: one waits for an email, one for a call. */
beforeAll(async () => {
  ids = await makeOneOfEach(app, api, 1, 1);
  ({ key: managerKey } = await member(app, 'manager'));
  manager = api.as(managerKey);
  const { body: step } = await api.post(`/campaigns/${ids.campaigns}/steps`, { kind: 'call', body_html: 'Ask {{name}} of {{company}}' });
  await api.post(`/campaigns/${ids.campaigns}/activate`);
  const people: Enrolled[] = [];
  for (const [index, values] of [
    // This one has no creator, like records that the operator makes.
    { due_at: app.clock.now() },
    { current_step: 2, last_sent_step: 1, hold_reason: `automatic reply: ${MARK}` },
  ].entries()) {
    const text = { name: `${MARK} ${index}`, email: `${MARK}-${index}@example.org`, company: `${MARK} Ltd` };
    const contact_id = await insertContact(app, { ...text, is_shared_to_all: false, created_by: index === 0 ? null : 1 });
    people.push(await insertEnrolment(app, ids.campaigns ?? 0, { contact_id, ...values }));
    await api.post(`/lists/${ids.lists}/members`, { contact_ids: [contact_id] });
  }
  const [writes, calls] = people as [Enrolled, Enrolled];
  await app.db.tx((tx) =>
    recordEvents(tx, [eventOf(app, writes, 'enrolled'), eventOf(app, calls, 'enrolled'), eventOf(app, calls, 'sent')]),
  );
  await app.db.tx((tx) => recordEvents(tx, [eventOf(app, calls, 'clicked', { url: `https://example.com/${MARK}` })]));
  call = await insertRow(app, 'call_tasks', {
    ...{ workspace_id: 1, campaign_id: ids.campaigns, enrolment_id: calls.id, step_id: step.id },
    ...{ due_at: app.clock.now(), created_at: app.clock.now() },
  });
});

/** The native procedures that read, with an input for each. */
const NATIVE: Record<string, () => object> = {
  'accountSetup.folderWarnings': () => ({ id: ids.accounts }),
  'live.progress': () => ({ id: ids.campaigns }),
  'access.scopes': () => ({}),
  'access.workspaceSettings': () => ({}),
};

const nativeQueries = procedures.filter(({ type, meta }) => type === 'query' && meta.openapi === undefined);

async function native(procedure: NativeProcedure, key: string): Promise<string> {
  const input = NATIVE[procedure.name];
  if (input === undefined) throw new Error(`${procedure.name} is served only under /trpc; add its input to NATIVE`);
  const { status, text } = await callNative(api.url, procedure, key, input());
  expect(status, procedure.name).toBe(200);
  return text;
}

/** Returns the first push of the dashboard's stream, and its number of contacts of the campaign. */
async function watched(key: string): Promise<{ text: string; contacts: number | undefined }> {
  const pushes: Push[] = [];
  const stream = openStream(createApi({ url: api.url, key }), { onPush: (push) => pushes.push(push), onLost: () => undefined });
  await waitUntil('the first push', () => pushes.length > 0, 60);
  stream.close();
  const line = pushes[0]?.changes?.campaigns.rows.find((row) => row.id === ids.campaigns);
  return { text: JSON.stringify(pushes[0]), contacts: line?.contacts };
}

/** Lists the reads whose responses contain the hidden contacts. */
async function telling(client: ApiClient): Promise<string[]> {
  const told: string[] = [];
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const query = operation.path.endsWith('/search') ? `?q=${MARK}` : '';
    const { body } = await send(client, operation, pathWith(operation, ids) + query);
    if (JSON.stringify(body).includes(MARK) && !JSON.stringify(body).includes('error')) told.push(named(operation));
  }
  return told.sort();
}

describe('is_shared_to_all false hides a contact from everybody but its creator, admins and listed people', () => {
  it('in every list, search, feed and forecast: the admin reads of them, a manager nowhere', async () => {
    expect(await telling(api)).toEqual([
      'GET /calls',
      'GET /campaigns/{id}/contacts',
      'GET /campaigns/{id}/events',
      'GET /campaigns/{id}/explain',
      'GET /campaigns/{id}/forecast',
      'GET /contacts',
      'GET /contacts/export',
      'GET /contacts/search',
      'GET /events',
      'GET /lists/{id}/members',
    ]);
    expect(await telling(manager)).toEqual([]);
  });

  it('in every count of what is listed: as if there were none; a list and a campaign have numbers of their own', async () => {
    const counted = async (client: ApiClient) => ({
      contacts: (await client.get('/contacts')).body.pagination.total,
      found: (await client.get(`/contacts?q=${MARK}`)).body.pagination.total,
      list: (await client.get(`/lists/${ids.lists}`)).body.contact_count,
      members: (await client.get(`/lists/${ids.lists}/members`)).body.pagination.total,
      campaign: (await client.get(`/campaigns/${ids.campaigns}`)).body.contact_count,
      enrolments: (await client.get(`/campaigns/${ids.campaigns}/contacts`)).body.pagination.total,
      events: (await client.get('/events')).body.pagination.total,
      stats: (await client.get(`/campaigns/${ids.campaigns}/stats`)).body.contacts,
      forecast: (await client.get(`/campaigns/${ids.campaigns}/forecast`)).body.data.length,
    });
    expect(await counted(api)).toEqual({
      ...{ contacts: 3, found: 2, list: 3, members: 3, campaign: 3, enrolments: 3, events: 5, stats: 3, forecast: 2 },
    });
    expect(await counted(manager)).toEqual({
      ...{ contacts: 1, found: 0, list: 3, members: 1, campaign: 3, enrolments: 1, events: 1, stats: 3, forecast: 1 },
    });
  });

  it('under /trpc: in what the dashboard reads and is told, and a call to one can not be closed', async () => {
    expect(nativeQueries.length).toBeGreaterThan(0);
    for (const procedure of nativeQueries) expect(await native(procedure, managerKey), procedure.name).not.toContain(MARK);
    const [all, some] = [await watched(adminKey), await watched(managerKey)];
    expect([all.contacts, some.contacts]).toEqual([3, 3]);
    expect(all.text).toContain(`${MARK} Ltd`);
    expect(some.text).not.toContain(MARK);
    const close = (key: string) =>
      callNative(api.url, { name: 'live.closeCall', type: 'mutation', meta: {} }, key, { id: call, outcome: 'done', note: null });
    expect((await close(managerKey)).status).toBe(404);
    expect((await close(adminKey)).status).toBe(200);
  });
});

describe('is_shared_to_all false hides campaigns, templates and accounts likewise', () => {
  const MAKERS: Record<string, () => Promise<unknown>> = {
    campaigns: async () => {
      const campaign = await insertCampaign(app, { name: `${MARK} campaign`, account_id: ids.accounts, is_shared_to_all: false });
      const enrolment = await insertEnrolment(app, campaign, { contact_id: ids.contacts, due_at: app.clock.now() });
      await app.db.tx((tx) => recordEvents(tx, [eventOf(app, enrolment, 'clicked', { url: `https://example.com/${MARK}` })]));
    },
    templates: () => insertRow(app, 'templates', { ...HIDDEN, name: MARK, type: 'template', body_html: 'B' }),
    accounts: () => insertAccount(app, { email: `${MARK}@box.example`, is_shared_to_all: false }),
  };
  const now = app.clock.now();
  const HIDDEN = { workspace_id: 1, is_shared_to_all: false, created_by: 1, created_at: now, updated_at: now };

  it.each(Object.keys(MAKERS))('%s: nothing that a manager reads or watches names them', async (type) => {
    await MAKERS[type]?.();
    expect(await telling(api)).toContain(`GET /${type}`);
    expect(await telling(manager)).toEqual([]);
    expect((await watched(managerKey)).text).not.toContain(MARK);
  });

  it('a search by a campaign that is hidden finds nobody, as by one that is none', async () => {
    const found = async (client: ApiClient) =>
      (await client.get(`/contacts/search?q=${encodeURIComponent(`campaign:"${MARK} campaign"`)}`)).body.pagination.total;
    expect([await found(api), await found(manager)]).toEqual([1, 0]);
  });
});
