import { beforeEach, describe, expect, it } from 'vitest';
import { addUser, operator, restoreFromTrash } from '../../../src/access/index.ts';
import { pauseAccountInTx } from '../../../src/campaigns/index.ts';
import { sql } from '../../../src/db/statement.ts';
import { trashKinds } from '../../../src/maintenance/trash-kinds.ts';
import { resumeLimitedAccounts } from '../../../src/sending/index.ts';
import { campaignIn } from '../../support/campaign-in.ts';
import { TEST_START } from '../../support/database.ts';
import { member } from '../../support/people.ts';
import { insertAccount } from '../../support/rows.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

const { api, app, clock, caller } = await servedInstallation();

let account: number;
beforeEach(async () => {
  clock.set(TEST_START);
  account = await insertAccount(app);
});

const stateOf = async (id: number) => {
  const { status, is_archived } = (await api.get(`/campaigns/${id}`)).body;
  return { status, is_archived };
};
const enrolmentsOf = async (id: number) => (await api.get(`/campaigns/${id}/contacts`)).body.data;

describe('Enrolment status', () => {
  it('Enrolling creates an enrolment, active at step 1, and records an enrolled event', async () => {
    const id = await campaignIn(app, account, 'active');
    const [{ contact_id }] = await enrolmentsOf(id);
    expect(await enrolmentsOf(id)).toMatchObject([{ status: 'active', current_step: 1, next_send_at: '2026-07-07 12:00:00' }]);
    expect((await api.get(`/campaigns/${id}/events`)).body.data).toMatchObject([{ type: 'enrolled', contact_id, step_order: 1 }]);
  });

  it.each([
    ['stopped by a person', (campaign: number, contact: number) => api.post(`/campaigns/${campaign}/contacts/${contact}/stop`)],
    ['the contact archived', (_campaign: number, contact: number) => api.post(`/contacts/${contact}/archive`)],
    [
      'the address suppressed',
      async (_campaign: number, contact: number) =>
        api.post('/suppressions', { email: (await api.get(`/contacts/${contact}`)).body.email, reason: 'asked' }),
    ],
  ])('active → stopped: %s, without an event', async (_what, stop) => {
    const id = await campaignIn(app, account, 'paused');
    const [{ contact_id }] = await enrolmentsOf(id);
    await stop(id, contact_id);
    expect(await enrolmentsOf(id)).toMatchObject([{ contact_id, status: 'stopped', next_send_at: null }]);
    expect((await api.get(`/campaigns/${id}/events`)).body.data).toMatchObject([{ type: 'enrolled' }]);
  });

  it('any ended → active: resume, at the next undone step; 409 for one who is suppressed or archived', async () => {
    const id = await campaignIn(app, account, 'paused');
    const [{ contact_id }] = await enrolmentsOf(id);
    const resume = () => api.post(`/campaigns/${id}/contacts/${contact_id}/resume`);
    await api.post(`/contacts/${contact_id}/archive`);
    expect(await resume()).toMatchObject(refusal(409, 'conflict', 'archived'));
    await api.post(`/contacts/${contact_id}/unarchive`);
    expect(await enrolmentsOf(id)).toMatchObject([{ status: 'stopped' }]);
    expect(await resume()).toMatchObject({ status: 200, body: { contact_id, status: 'active', current_step: 1 } });
    const { email } = (await api.get(`/contacts/${contact_id}`)).body;
    await api.post('/suppressions', { email, reason: 'asked' });
    expect(await resume()).toMatchObject(refusal(409, 'conflict', 'suppressed'));
  });

  it('next_send_at: null unless the enrolment and the campaign are active', async () => {
    const next = async (id: number) => (await enrolmentsOf(id))[0].next_send_at;
    expect(await next(await campaignIn(app, account, 'active'))).toBe('2026-07-07 12:00:00');
    for (const status of ['draft', 'paused', 'completed'] as const)
      expect(await next(await campaignIn(app, account, status)), status).toBeNull();
  });
});

describe('Account pause reason', () => {
  const accountNow = async () => {
    const { status, pause_reason, pause_message } = (await api.get(`/accounts/${account}`)).body;
    return { status, pause_reason, pause_message };
  };
  const ACTIVE = { status: 'active', pause_reason: null, pause_message: null };

  it('active (null) → manual: pause by a person; resume → null', async () => {
    expect(await accountNow()).toEqual(ACTIVE);
    await api.post(`/accounts/${account}/pause`);
    expect(await accountNow()).toEqual({ status: 'paused', pause_reason: 'manual', pause_message: null });
    await api.post(`/accounts/${account}/resume`);
    expect(await accountNow()).toEqual(ACTIVE);
  });

  it("active → provider_limit, auto-resumed when the account's local day changes, with its campaigns", async () => {
    await app.db.query(sql`update accounts set timezone = 'America/New_York' where id = ${account}`);
    const campaign = await campaignIn(app, account, 'active');
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, account, { reason: 'provider_limit', message: '550 5.4.5 limit' }));
    expect(await accountNow()).toMatchObject({ status: 'paused', pause_reason: 'provider_limit' });
    expect((await stateOf(campaign)).status).toBe('paused');
    clock.set('2026-07-08T03:59:59Z');
    expect(await resumeLimitedAccounts(app)).toEqual([]);
    clock.set('2026-07-08T04:00:00Z');
    expect(await resumeLimitedAccounts(app)).toEqual([account]);
    expect([await accountNow(), (await stateOf(campaign)).status]).toEqual([ACTIVE, 'active']);
  });

  it('active → provider_error: any other failure of the provider, in its words; a day that passes does not resume it', async () => {
    const pause = { reason: 'provider_error', message: '535 5.7.8 bad credentials' } as const;
    await app.db.tx((tx) => pauseAccountInTx(tx, app, caller, account, pause));
    const stopped = { status: 'paused', pause_reason: 'provider_error', pause_message: '535 5.7.8 bad credentials' };
    expect(await accountNow()).toEqual(stopped);
    clock.set('2026-07-20T00:00:00Z');
    expect(await resumeLimitedAccounts(app)).toEqual([]);
    expect(await accountNow()).toEqual(stopped);
    expect((await api.post(`/accounts/${account}/resume`)).body).toMatchObject(ACTIVE);
  });

  it('an account may be disconnected: it can not be resumed until it is connected again', async () => {
    await app.db.query(sql`update accounts set status = 'disconnected', pause_reason = 'provider_error' where id = ${account}`);
    expect(await api.post(`/accounts/${account}/resume`)).toMatchObject(refusal(409, 'conflict', 'disconnected'));
    expect((await accountNow()).status).toBe('disconnected');
  });
});

describe('User', () => {
  it("is enabled or disabled; disable also ends that user's keys, enable reverses the flag", async () => {
    const { id, key } = await member(app, 'manager');
    expect((await api.get(`/users/${id}`)).body.disabled).toBe(false);
    for (const disabled of [true, true]) expect((await api.post(`/users/${id}/disable`)).body).toMatchObject({ id, disabled });
    expect((await api.as(key).get('/me')).status).toBe(401);
    for (const disabled of [false, false]) expect((await api.post(`/users/${id}/enable`)).body).toMatchObject({ id, disabled });
    expect((await api.as(key).get('/me')).status).toBe(401);
  });

  it('a newly invited one shows pending_invite; one who has an account does not', async () => {
    const invited = await api.post('/users', { name: 'New', email: 'new@example.com', role: 'manager' });
    expect(invited).toMatchObject({ status: 201, body: { pending_invite: true } });
    const { id } = await app.db.tx((tx) => addUser(tx, app, operator(1), { name: 'Old', email: 'old@example.com', role: 'manager' }));
    expect((await api.get(`/users/${id}`)).body.pending_invite).toBe(false);
  });
});

describe('Archive and delete for other resources', () => {
  const made = async (path: string, body: object) => (await api.post(path, body)).body.id as number;
  let email = 0;
  const MAKERS = {
    campaigns: () => campaignIn(app, account, 'draft'),
    contacts: () => made('/contacts', { email: `kept-${++email}@example.org` }),
    lists: async () => {
      const id = await made('/lists', { name: 'L' });
      await made('/contacts', { email: `kept-${++email}@example.org`, list_ids: [id] });
      return id;
    },
    'custom-fields': () => made('/custom-fields', { name: 'F' }),
    templates: () => made('/templates', { name: 'T', body_html: 'B' }),
    accounts: () => insertAccount(app, { status: 'paused', pause_reason: 'manual' }),
  };
  type Type = keyof typeof MAKERS;
  const ARCHIVED = ['contacts', 'templates', 'accounts', 'campaigns'] as const satisfies readonly Type[];
  /** Reads it from its list; a state that comes back counts as a change too. */
  const listed = async (type: Type, id: number) => {
    const page = type === 'custom-fields' ? '' : '?limit=200';
    const found = (await api.get(`/${type}${page}`)).body.data.find((row: { id: number }) => row.id === id);
    return found && { ...found, updated_at: null };
  };

  it.each(
    ARCHIVED,
  )('%s have an archived flag, toggled by archive and unarchive; both answer the whole resource, twice as well', async (type) => {
    const id = await MAKERS[type]();
    for (const [action, is_archived] of [
      ['archive', true],
      ['archive', true],
      ['unarchive', false],
      ['unarchive', false],
    ] as const) {
      const { status, body } = await api.post(`/${type}/${id}/${action}`);
      expect({ status, is_archived: body.is_archived }, action).toEqual({ status: 200, is_archived });
      expect((await api.get(`/${type}/${id}`)).body).toEqual(body);
    }
  });

  it.each(
    Object.keys(MAKERS) as Type[],
  )('Deleting is soft for %s: gone everywhere, retained, and an admin can restore it', async (type) => {
    const id = await MAKERS[type]();
    const before = await listed(type, id);
    expect(before).toMatchObject({ id });
    expect(await api.delete(`/${type}/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await listed(type, id)).toBeUndefined();
    expect(await api.delete(`/${type}/${id}`)).toMatchObject(refusal(404, 'not_found'));
    if (type !== 'custom-fields') expect(await api.get(`/${type}/${id}`)).toMatchObject(refusal(404, 'not_found'));
    await restoreFromTrash(app, operator(1), trashKinds, type, id);
    expect(await listed(type, id)).toEqual(before);
  });
});
