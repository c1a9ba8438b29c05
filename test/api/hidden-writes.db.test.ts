import { beforeAll, describe, expect, it } from 'vitest';
import { runImport } from '../../src/contacts/import-jobs/index.ts';
import { sql } from '../../src/db/statement.ts';
import type { ApiClient } from '../support/api-client.ts';
import { formOf } from '../support/form.ts';
import { callNative } from '../support/native.ts';
import { member } from '../support/people.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertList, insertReply } from '../support/rows.ts';
import { servedInstallation } from '../support/served.ts';

// docs/security.md: "A record that a caller can't see does not exist for them."

const { api, app } = await servedInstallation();
let manager: ApiClient;
let managerKey: string;

beforeAll(async () => {
  ({ key: managerKey } = await member(app, 'manager'));
  manager = api.as(managerKey);
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

  /** The target of a write: the id and address of a contact. */
  interface Aim {
    id: number;
    email: string;
  }

  /** Writes to one contact or address, sent by the manager. Each creates the other records that it needs. */
  const WRITES: Record<string, (aim: Aim) => Promise<{ status: number; body: unknown }>> = {
    'a change': ({ id }) => manager.patch(`/contacts/${id}`, { name: 'x' }),
    'a removal': ({ id }) => manager.delete(`/contacts/${id}`),
    archiving: ({ id }) => manager.post(`/contacts/${id}/archive`),
    'a share': ({ id }) => manager.post(`/contacts/${id}/shares`, { user_id: 1 }),
    'a merge': async ({ id }) => manager.post(`/contacts/${await mine()}/merge`, { contact_id: id }),
    'a list, by id': async ({ id }) => manager.post(`/lists/${await insertList(app)}/members`, { contact_ids: [id] }),
    'a removal from a list': async ({ id }) => manager.delete(`/lists/${await insertList(app, [id].filter(isThere))}/members/${id}`),
    'an enrolment, by id': async ({ id }) =>
      manager.post(`/campaigns/${await draft()}/contacts?details=true`, { contact_ids: [id, await mine()] }),
    'an enrolment, by list': async ({ id }) =>
      manager.post(`/campaigns/${await draft()}/contacts?details=true`, { list_ids: [await insertList(app, [id].filter(isThere))] }),
    'stopping, by id': async ({ id }) => manager.post(`/campaigns/${await draft(id)}/contacts/stop`, { contact_ids: [id] }),
    'stopping, by search': async ({ id, email }) => manager.post(`/campaigns/${await draft(id)}/contacts/stop`, { q: `email:${email}` }),
    'holding, by search': async ({ id, email }) =>
      manager.post(`/campaigns/${await draft(id)}/contacts/hold`, { q: `email:${email}`, until: '2099-01-05T09:00:00Z' }),
    'stopping one': async ({ id }) => manager.post(`/campaigns/${await draft(id)}/contacts/${id}/stop`),
    'a suppression': ({ email }) => manager.post('/suppressions', { email }),
  };
  const NOWHERE = 2_000_000;
  const isThere = (id: number) => id < NOWHERE;
  let made = 0;
  const mine = async () => (await manager.post('/contacts', { email: `mine-${++made}@target.example` })).body.id as number;
  /** Creates a campaign that the manager sees, with the contact in it if the contact exists. */
  const draft = async (id = NOWHERE) => {
    const campaign = await insertCampaign(app, { status: 'draft' });
    if (isThere(id)) await insertEnrolment(app, campaign, { contact_id: id, due_at: app.clock.now() });
    return campaign;
  };
  /** Removes ids and addresses, which differ between two calls, from a response. */
  const shape = (answer: { status: number; body: unknown }, { email, id }: Aim) => ({
    status: answer.status,
    body: JSON.stringify(answer.body ?? null)
      .replaceAll(email, 'EMAIL')
      .replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')
      .replaceAll(/"(id|contact_id|created_at|list_id|request_id)":("[^"]*"|\d+)/g, '"$1":0'),
  });

  it.each(
    Object.keys(WRITES),
  )('by %s: it answers as for a contact who does not exist, and changes nothing of the hidden one', async (name) => {
    const email = `write-${++made}@target.example`;
    const aims = { hidden: { id: await hidden(email), email }, unknown: { id: NOWHERE + made, email: `nobody-${made}@target.example` } };
    const write = WRITES[name] as (typeof WRITES)[string];
    const wrong = await write(aims.unknown);
    const enrolled = (await stored(aims.hidden.id)).enrolments;
    const answer = await write(aims.hidden);
    expect(shape(answer, aims.hidden)).toEqual(shape(wrong, aims.unknown));
    // A malformed request would prove nothing.
    expect(JSON.stringify(answer.body ?? null)).not.toMatch(/unknown field|must be|is required/);
    const { enrolments, lists: _, ...after } = await stored(aims.hidden.id);
    expect(after).toEqual({ name: PRIVATE.name, company: PRIVATE.company });
    const states = await app.db.query<{ status: string; held_until: unknown }>(
      sql`select status, held_until from enrolments where contact_id = ${aims.hidden.id}`,
    );
    for (const state of states) expect(state).toEqual({ status: 'active', held_until: null });
    // The test itself enrols the contact in at most one campaign.
    expect(enrolments - enrolled).toBeLessThanOrEqual(name.startsWith('an enrolment') ? 0 : 1);
  });

  it('by a batch or a new contact of the same address: taken, and nothing else is said (B45)', async () => {
    const id = await hidden('batch@target.example');
    const batch = await manager.post('/contacts/batch', { contacts: [{ email: 'batch@target.example', name: 'x' }], update: true });
    expect(batch.body.data[0]).toMatchObject({ status: 'conflict', id: null });
    expect((await manager.post('/contacts', { email: 'batch@target.example' })).status).toBe(409);
    expect((await manager.put('/contacts/by-email/batch@target.example', { name: 'x' })).status).toBe(409);
    expect(await stored(id)).toEqual(untouched);
  });

  it('by labelling, reading or assigning replies: a reply of a hidden contact is as none', async () => {
    const campaign = await insertCampaign(app, {});
    const reply = await insertReply(app, await insertEnrolment(app, campaign, { contact_id: await hidden('replied@target.example') }));
    for (const body of [{ label: 'interested' }, { is_read: true }, { assigned_to: 1 }]) {
      const unknown = await manager.patch(`/replies/${NOWHERE}`, body);
      expect(await manager.patch(`/replies/${reply}`, body)).toMatchObject({ status: unknown.status, body: unknown.body });
      expect(unknown.status).toBe(404);
    }
  });

  it('by tagging accounts: a hidden account is as none', async () => {
    const account = await insertAccount(app, { is_shared_to_all: false, created_by: 1, email: 'tagged@ours.example' });
    const tag = (id: number) =>
      callNative(api.url, { name: 'accountSetup.set', type: 'mutation', meta: {} }, managerKey, { id, settings: { tags: ['mine'] } });
    const [unknown, answer] = [await tag(NOWHERE), await tag(account)];
    expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    expect(await app.db.query(sql`select tags from accounts where id = ${account}`)).toEqual([{ tags: [] }]);
  });

  it('by applying campaign files: a hidden campaign of that name is not changed', async () => {
    const account = await insertAccount(app, { email: 'shared@ours.example' });
    const campaign = await insertCampaign(app, { name: 'Secret plan', account_id: account, is_shared_to_all: false, status: 'draft' });
    await insertEnrolment(app, campaign);
    await manager.post('/campaigns/apply', {
      campaigns: [{ name: 'Secret plan', accounts: ['shared@ours.example'], steps: [{ subject: 'changed', text: 'changed' }] }],
    });
    expect((await api.get(`/campaigns/${campaign}/steps`)).body.data[0].body_html).toBe('<p>Hi</p>');
  });
});
