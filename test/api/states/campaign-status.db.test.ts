import { beforeEach, describe, expect, it } from 'vitest';
import { operator, restoreFromTrash } from '../../../src/access/index.ts';
import { completeFinishedCampaigns } from '../../../src/campaigns/index.ts';
import { sql } from '../../../src/db/statement.ts';
import { trashKinds } from '../../../src/maintenance/trash-kinds.ts';
import { campaignIn } from '../../support/campaign-in.ts';
import { TEST_START } from '../../support/database.ts';
import { insertAccount, insertContact } from '../../support/rows.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

const { api, app, clock } = await servedInstallation();

const STATUSES = ['draft', 'active', 'paused', 'completed'] as const;

let account: number;
beforeEach(async () => {
  clock.set(TEST_START);
  account = await insertAccount(app);
});

const enrol = (campaign: number, contact_ids: number[]) => api.post(`/campaigns/${campaign}/contacts`, { contact_ids });

const stateOf = async (id: number) => {
  const { status, is_archived } = (await api.get(`/campaigns/${id}`)).body;
  return { status, is_archived };
};
const enrolmentsOf = async (id: number) => (await api.get(`/campaigns/${id}/contacts`)).body.data;
const actorsOf = async (id: number) =>
  app.db.query<{ action: string; actor: string }>(
    sql`select action, actor from audit_log where resource_type = 'campaign' and resource_id = ${id} order by id`,
  );

describe('Campaign status', () => {
  it('(none) → draft: POST /campaigns with a valid name and a live account_id', async () => {
    expect(await api.post('/campaigns', { name: 'C', account_id: account })).toMatchObject({ status: 201, body: { status: 'draft' } });
    const archived = await insertAccount(app, { is_archived: true });
    expect(await api.post('/campaigns', { name: 'C', account_id: archived })).toMatchObject(refusal(400, 'invalid_request', 'account_id'));
  });

  it.each(
    STATUSES,
  )('any (%s) → active: activate; pause leads to paused; archive to paused with is_archived true, unarchive back', async (from) => {
    const steps = [
      ['activate', { status: 'active', is_archived: false }],
      ['pause', { status: 'paused', is_archived: false }],
      ['archive', { status: 'paused', is_archived: true }],
      ['unarchive', { status: 'paused', is_archived: false }],
    ] as const;
    for (const [action, expected] of steps.filter(([name]) => name !== 'unarchive')) {
      const id = await campaignIn(app, account, from);
      expect(await api.post(`/campaigns/${id}/${action}`), `${from} ${action}`).toMatchObject({ status: 200, body: { id, ...expected } });
    }
    const id = await campaignIn(app, account, from);
    for (const [action, expected] of steps) expect((await api.post(`/campaigns/${id}/${action}`)).body, action).toMatchObject(expected);
  });

  it('activate: at least one step and one enrolled contact, else 400, and the state stays', async () => {
    const empty = (await api.post('/campaigns', { name: 'C', account_id: account })).body.id;
    expect(await api.post(`/campaigns/${empty}/activate`)).toMatchObject(refusal(400, 'invalid_request', 'step'));
    await api.post(`/campaigns/${empty}/steps`, { body_html: 'B' });
    expect(await api.post(`/campaigns/${empty}/activate`)).toMatchObject(refusal(400, 'invalid_request', 'contact'));
    expect(await stateOf(empty)).toEqual({ status: 'draft', is_archived: false });
  });

  it('activate: without starts_at sending starts now; with it, which must be in the future, it is scheduled', async () => {
    const id = await campaignIn(app, account, 'draft');
    expect(await api.post(`/campaigns/${id}/activate`, { starts_at: TEST_START })).toMatchObject(
      refusal(400, 'invalid_request', 'starts_at must be in the future'),
    );
    expect((await enrolmentsOf(id))[0].next_send_at).toBeNull();
    await api.post(`/campaigns/${id}/activate`, { starts_at: '2026-07-09T10:00:00Z' });
    expect((await enrolmentsOf(id))[0].next_send_at).toBe('2026-07-09 10:00:00');
    await api.post(`/campaigns/${id}/activate`);
    expect((await enrolmentsOf(id))[0].next_send_at).toBe('2026-07-07 12:00:00');
  });

  it('archive: hidden from the default list; unarchive: listed again', async () => {
    const id = await campaignIn(app, account, 'active');
    const listed = async (query: string) =>
      (await api.get(`/campaigns?limit=200&${query}`)).body.data.some((campaign: { id: number }) => campaign.id === id);
    await api.post(`/campaigns/${id}/archive`);
    expect([await listed(''), await listed('archived=true')]).toEqual([false, true]);
    await api.post(`/campaigns/${id}/unarchive`);
    expect([await listed(''), await listed('archived=true')]).toEqual([true, false]);
  });

  it.each(STATUSES)('any (%s): DELETE removes it from all lists; sending stops; an admin can restore it', async (from) => {
    const id = await campaignIn(app, account, from);
    expect((await api.delete(`/campaigns/${id}`)).status).toBe(204);
    for (const query of ['', '&archived=true', `&status=${from}`])
      expect((await api.get(`/campaigns?limit=200${query}`)).body.data.map((campaign: { id: number }) => campaign.id)).not.toContain(id);
    expect((await api.post(`/campaigns/${id}/activate`)).status).toBe(404);
    await restoreFromTrash(app, operator(1), trashKinds, 'campaigns', id);
    expect(await stateOf(id)).toEqual({ status: from === 'active' ? 'paused' : from, is_archived: false });
  });

  it('account pause or delete: its active campaigns are paused; resume: those resume, no others', async () => {
    const ids = await Promise.all(STATUSES.map((status) => campaignIn(app, account, status)));
    const statuses = async () => Promise.all(ids.map(async (id) => (await stateOf(id)).status));
    await api.post(`/accounts/${account}/pause`);
    expect(await statuses()).toEqual(['draft', 'paused', 'paused', 'completed']);
    await api.post(`/accounts/${account}/resume`);
    expect(await statuses()).toEqual(STATUSES);
    await api.delete(`/accounts/${account}`);
    expect(await statuses()).toEqual(['draft', 'paused', 'paused', 'completed']);
  });
});

describe('Transitions into completed', () => {
  it('active → completed by the daemon when no enrolment is active any more, with one audit row of the system and no event', async () => {
    const id = await campaignIn(app, account, 'active');
    const [{ contact_id }] = await enrolmentsOf(id);
    const before = (await api.get(`/campaigns/${id}/events`)).body.pagination.total;
    await api.post(`/campaigns/${id}/contacts/${contact_id}/stop`);
    expect(await stateOf(id)).toEqual({ status: 'completed', is_archived: false });
    expect((await actorsOf(id)).filter(({ action }) => action === 'campaign.complete')).toEqual([
      { action: 'campaign.complete', actor: 'system' },
    ]);
    expect((await api.get(`/campaigns/${id}/events`)).body.pagination.total).toBe(before);
  });

  it('not before its start', async () => {
    const id = await campaignIn(app, account, 'draft');
    await api.post(`/campaigns/${id}/activate`, { starts_at: '2026-07-09T10:00:00Z' });
    const [{ contact_id }] = await enrolmentsOf(id);
    await api.post(`/campaigns/${id}/contacts/${contact_id}/stop`);
    await completeFinishedCampaigns(app);
    expect((await stateOf(id)).status).toBe('active');
    clock.set('2026-07-09T10:00:00Z');
    await completeFinishedCampaigns(app);
    expect((await stateOf(id)).status).toBe('completed');
  });

  it.each(['draft', 'paused'] as const)('%s and archived ones stay as a person left them', async (status) => {
    for (const values of [{}, { is_archived: true }]) {
      const id = await campaignIn(app, account, status, values);
      const [{ contact_id }] = await enrolmentsOf(id);
      await api.post(`/campaigns/${id}/contacts/${contact_id}/stop`);
      await completeFinishedCampaigns(app);
      expect((await stateOf(id)).status).toBe(status);
    }
  });

  it('completed → active: enrolling a new contact reopens it; somebody already enrolled does not', async () => {
    const id = await campaignIn(app, account, 'completed');
    const [{ contact_id }] = await enrolmentsOf(id);
    expect((await enrol(id, [contact_id])).body).toEqual({ enrolled: 0 });
    expect((await stateOf(id)).status).toBe('completed');
    expect((await enrol(id, [await insertContact(app)])).body).toEqual({ enrolled: 1 });
    expect((await stateOf(id)).status).toBe('active');
    expect((await actorsOf(id)).map(({ action }) => action)).toContain('campaign.reopen');
  });

  it('enrolling reopens while the account is paused: the campaign is active and waits for the account', async () => {
    const id = await campaignIn(app, account, 'completed');
    await api.post(`/accounts/${account}/pause`);
    expect((await enrol(id, [await insertContact(app)])).body).toEqual({ enrolled: 1 });
    expect((await stateOf(id)).status).toBe('active');
  });

  it('enrolling does not reopen an archived campaign', async () => {
    const id = await campaignIn(app, account, 'completed');
    await app.db.query(sql`update campaigns set is_archived = true where id = ${id}`);
    expect((await enrol(id, [await insertContact(app)])).body).toEqual({ enrolled: 1 });
    expect((await stateOf(id)).status).toBe('completed');
  });

  it('a step appended to a completed campaign leaves it completed, and those who completed it too', async () => {
    const id = await campaignIn(app, account, 'completed');
    expect((await api.post(`/campaigns/${id}/steps`, { body_html: 'Later' })).status).toBe(201);
    await completeFinishedCampaigns(app);
    expect((await stateOf(id)).status).toBe('completed');
    expect(await enrolmentsOf(id)).toMatchObject([{ status: 'completed' }]);
  });
});
