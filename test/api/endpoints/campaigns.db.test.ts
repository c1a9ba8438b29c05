import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { DAY, type ManualClock } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { TEST_START, testInstallation } from '../../support/database.ts';
import { member, workspace } from '../../support/people.ts';
import {
  insertAccount,
  insertCampaign,
  insertContact,
  insertEnrolment,
  insertLoggedEnrolment,
  insertRow,
  rowOf,
} from '../../support/rows.ts';

type Person = Awaited<ReturnType<typeof member>>;

let app: App;
let clock: ManualClock;
let daemon: Daemon;
let admin: ApiClient;
let manager: Person;
let reader: Person;
let elsewhere: number;
let account: number;

beforeAll(async () => {
  const installation = await testInstallation();
  ({ app, clock } = installation);
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
  [manager, reader] = [await member(app, 'manager'), await member(app, 'view_only')];
  elsewhere = await workspace(app);
});
afterAll(() => daemon?.stop());
beforeEach(async () => {
  clock.set(TEST_START);
  account = await insertAccount(app, { email: `box-${Math.random()}@example.com` });
});

const created = async (api = admin) => (await api.post('/campaigns', { name: 'C', account_id: account })).body.id as number;
/** A campaign with a step and a contact, ready to be activated. */
const ready = async (values = {}) => {
  const id = await insertCampaign(app, { status: 'draft', account_id: account, ...values });
  const { id: enrolment } = await insertEnrolment(app, id, { due_at: clock.now() });
  return { id, enrolment };
};
const invalid = (message: string | RegExp) => ({
  status: 400,
  body: { error: { code: 'invalid_request', message: expect.stringMatching(message) } },
});
const notFound = { status: 404, body: { error: { code: 'not_found' } } };
const audits = async (id: number) =>
  (
    await app.db.query<{ action: string }>(
      sql`select action from audit_log where resource_type = 'campaign' and resource_id = ${id} order by id`,
    )
  ).map((row) => row.action);
const nextBatch = async (id: number) => (await rowOf<{ next_batch_at: Date | null }>(app, 'accounts', id)).next_batch_at;

describe('POST /campaigns', () => {
  it('makes a draft: 201, exactly the fields of the reference, the defaults of a new campaign', async () => {
    const { status, body } = await admin.post('/campaigns', { name: '  Spring  ', account_id: account });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Spring',
      status: 'draft',
      account_id: account,
      account_email: (await rowOf<{ email: string }>(app, 'accounts', account)).email,
      reply_to: null,
      reply_to_connected: false,
      timezone: 'UTC',
      sending_days: [1, 2, 3, 4, 5],
      sending_hour_start: 9,
      sending_hour_end: 17,
      ab_test_enabled: false,
      ab_split_percent: 50,
      sending_hour_start_b: null,
      sending_hour_end_b: null,
      starts_at: null,
      is_archived: false,
      is_shared_to_all: true,
      step_count: 0,
      contact_count: 0,
      created_at: '2026-07-07 12:00:00',
      updated_at: '2026-07-07 12:00:00',
    });
    expect((await admin.get(`/campaigns/${body.id}`)).body).toEqual(body);
    expect(await audits(body.id)).toEqual(['campaign.create']);
  });

  it('takes what PATCH takes at once, by the same rules; a schedule that can not be makes nothing', async () => {
    const settings = {
      ...{ timezone: 'Europe/Berlin', sending_days: [6, 7], sending_hour_start: 22, sending_hour_end: 4 },
      ...{ ab_test_enabled: true, ab_split_percent: 30, sending_hour_start_b: 8, sending_hour_end_b: 12 },
      ...{ reply_to: 'answers@example.org', is_shared_to_all: false },
    };
    const { status, body } = await admin.post('/campaigns', { name: 'All at once', account_id: account, ...settings });
    expect([status, body]).toEqual([201, expect.objectContaining({ ...settings, status: 'draft' })]);
    const before = (await admin.get('/campaigns')).body.pagination.total;
    const refused = await admin.post('/campaigns', { name: 'None', account_id: account, sending_hour_start: 17 });
    expect(refused).toMatchObject(invalid('^sending_hour_end: must differ from sending_hour_start'));
    expect((await admin.get('/campaigns')).body.pagination.total).toBe(before);
  });

  it('takes the timezone of the workspace where that has one', async () => {
    await app.db.query(sql`update workspaces set timezone = 'Asia/Tokyo' where id = 1`);
    expect((await admin.post('/campaigns', { name: 'C', account_id: account })).body.timezone).toBe('Asia/Tokyo');
    await app.db.query(sql`update workspaces set timezone = null where id = 1`);
  });

  it.each([
    [{}, 'name'],
    [{ name: 'C' }, 'account_id'],
    [{ name: '   ', account_id: 1 }, '^name: must not be empty'],
    [{ name: 'x'.repeat(256), account_id: 1 }, '^name: at most 255 characters'],
    [{ name: 7, account_id: 1 }, '^name'],
    [{ name: 'C', account_id: '1' }, '^account_id'],
    [{ name: 'C', account_id: 999_999 }, '^account_id'],
    [{ name: 'C', account_id: 1, colour: 'red' }, 'colour'],
  ])('%j gives 400 that names the field', async (body, message) => {
    expect(await admin.post('/campaigns', body)).toMatchObject(invalid(message));
  });

  it('the account must be live and visible: a paused one is, an archived, deleted, hidden or foreign one is not', async () => {
    const attempt = async (values: object, api = admin) =>
      (await api.post('/campaigns', { name: 'C', account_id: await insertAccount(app, { ...values }) })).status;
    expect(await attempt({ status: 'paused', pause_reason: 'manual' })).toBe(201);
    expect(await attempt({ is_archived: true })).toBe(400);
    expect(await attempt({ deleted_at: clock.now() })).toBe(400);
    expect(await attempt({ workspace_id: elsewhere })).toBe(400);
    expect(await attempt({ is_shared_to_all: false }, admin.as(manager.key))).toBe(400);
    expect(await attempt({ is_shared_to_all: false })).toBe(201);
  });

  it('read-only fields are ignored, 403 for view_only', async () => {
    const body = { name: 'C', account_id: account, status: 'active', id: 5, contact_count: 9 };
    expect(await admin.post('/campaigns', body)).toMatchObject({ status: 201, body: { status: 'draft', contact_count: 0 } });
    expect((await admin.as(reader.key).post('/campaigns', body)).status).toBe(403);
  });
});

describe('GET /campaigns', () => {
  it('lists by id what is not archived; archived=true lists what is; status filters', async () => {
    const owner = await member(app, 'admin', { workspaceId: elsewhere });
    const api = admin.as(owner.key);
    const make = (values = {}) => insertCampaign(app, { workspace_id: elsewhere, ...values });
    const draft = await make({ status: 'draft' });
    const active = await make();
    const archived = await make({ status: 'paused', is_archived: true });
    await make({ deleted_at: clock.now() });
    const ids = async (query = '') => {
      const { body } = await api.get(`/campaigns${query}`);
      expect(body.pagination.total).toBe(body.data.length);
      return body.data.map((row: { id: number }) => row.id);
    };
    expect(await ids()).toEqual([draft, active]);
    expect(await ids('?archived=false')).toEqual([draft, active]);
    expect(await ids('?archived=true')).toEqual([archived]);
    expect(await ids('?status=active')).toEqual([active]);
    expect(await ids('?status=paused&archived=true')).toEqual([archived]);
    expect(await ids('?status=completed')).toEqual([]);
    expect((await api.get('/campaigns?limit=1&offset=1')).body).toMatchObject({
      data: [{ id: active, step_count: 1 }],
      pagination: { total: 2, limit: 1, offset: 1 },
    });
  });

  it.each([
    'status=running',
    'archived=1',
    'archived=yes',
    'limit=0',
    'limit=201',
    'limit=5x',
    'q=x',
  ])('a bad query parameter gives 400: %s', async (query) => {
    expect(await admin.get(`/campaigns?${query}`)).toMatchObject(invalid(''));
  });

  it('contact_count counts enrolments, step_count live steps', async () => {
    const { id } = await ready();
    await insertLoggedEnrolment(app, id);
    await insertRow(app, 'steps', {
      ...{ campaign_id: id, step_order: 9, body_html: 'x' },
      ...{ created_at: clock.now(), updated_at: clock.now(), deleted_at: clock.now() },
    });
    expect((await admin.get(`/campaigns/${id}`)).body).toMatchObject({ contact_count: 1, step_count: 1 });
  });
});

describe('reply_to_connected', () => {
  it('is true while the effective reply address is a live connected account of the workspace that can be polled', async () => {
    const connected = await insertAccount(app, { email: 'Replies@example.com', imap: '{}' });
    const id = await created();
    const isConnected = async () => (await admin.get(`/campaigns/${id}`)).body.reply_to_connected;
    expect(await isConnected()).toBe(false);
    await app.db.query(sql`update accounts set imap = '{}' where id = ${account}`);
    expect(await isConnected()).toBe(true);
    expect((await admin.patch(`/campaigns/${id}`, { reply_to: 'someone@example.org' })).body).toMatchObject({
      reply_to: 'someone@example.org',
      reply_to_connected: false,
    });
    expect((await admin.patch(`/campaigns/${id}`, { reply_to: 'replies@example.com' })).body.reply_to_connected).toBe(true);
    for (const [gone, back] of [
      ['imap = null', "imap = '{}'"],
      ['is_archived = true', 'is_archived = false'],
      ["status = 'disconnected', pause_reason = 'provider_error'", "status = 'paused', pause_reason = 'manual'"],
      [`workspace_id = ${elsewhere}`, 'workspace_id = 1'],
    ]) {
      await app.db.pool.query(`update accounts set ${gone} where id = ${connected}`);
      expect(await isConnected(), gone).toBe(false);
      await app.db.pool.query(`update accounts set ${back} where id = ${connected}`);
      expect(await isConnected(), back).toBe(true);
    }
    expect((await admin.patch(`/campaigns/${id}`, { reply_to: null })).body).toMatchObject({ reply_to: null, reply_to_connected: true });
  });
});

describe('PATCH /campaigns/{id}', () => {
  it('changes the included fields only, audited with before and after', async () => {
    const id = await created();
    clock.advance(DAY);
    const change = {
      name: 'New',
      reply_to: 'x@example.org',
      timezone: 'Europe/Berlin',
      sending_days: [7, 6, 6],
      sending_hour_start: 22,
      sending_hour_end: 4,
      ab_test_enabled: true,
      ab_split_percent: 99,
      sending_hour_start_b: 0,
      sending_hour_end_b: 24,
      is_shared_to_all: false,
    };
    const before = (await admin.get(`/campaigns/${id}`)).body;
    const { status, body } = await admin.patch(`/campaigns/${id}`, change);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...change, sending_days: [6, 7], updated_at: '2026-07-08 12:00:00' });
    expect((await admin.patch(`/campaigns/${id}`, { name: 'Newer' })).body).toEqual({ ...body, name: 'Newer' });
    const [row] = await app.db.query<{ changes: object }>(
      sql`select changes from audit_log where resource_id = ${id} and action = 'campaign.update' order by id desc limit 1`,
    );
    expect(row?.changes).toEqual({ name: ['New', 'Newer'] });
  });

  it('what GET gave can be sent back: read-only fields are ignored, nothing changes, nothing is audited', async () => {
    const id = await created();
    const { body } = await admin.get(`/campaigns/${id}`);
    clock.advance(DAY);
    expect(await admin.patch(`/campaigns/${id}`, body)).toMatchObject({ status: 200, body });
    expect(await audits(id)).toEqual(['campaign.create']);
  });

  it.each([
    [{ name: '' }, '^name'],
    [{ name: null }, '^name'],
    [{ account_id: 999_999 }, '^account_id'],
    [{ account_id: null }, '^account_id'],
    [{ reply_to: 'no address' }, '^reply_to'],
    [{ reply_to: 'a@example.com\r\nBcc: b@example.com' }, '^reply_to'],
    [{ timezone: 'Mars/Olympus' }, '^timezone'],
    [{ timezone: null }, '^timezone'],
    [{ sending_days: [] }, '^sending_days'],
    [{ sending_days: [0] }, '^sending_days'],
    [{ sending_days: [8] }, '^sending_days'],
    [{ sending_days: ['1'] }, '^sending_days'],
    [{ sending_days: [1.5] }, '^sending_days'],
    [{ sending_days: null }, '^sending_days'],
    [{ sending_hour_start: 24 }, '^sending_hour_start'],
    [{ sending_hour_start: -1 }, '^sending_hour_start'],
    [{ sending_hour_start: '9' }, '^sending_hour_start'],
    [{ sending_hour_end: 0 }, '^sending_hour_end'],
    [{ sending_hour_end: 25 }, '^sending_hour_end'],
    [{ sending_hour_end: null }, '^sending_hour_end'],
    [{ sending_hour_start: 17 }, '^sending_hour_end: must differ'],
    [{ sending_hour_end: 9 }, '^sending_hour_end: must differ'],
    [{ ab_split_percent: 0 }, '^ab_split_percent'],
    [{ ab_split_percent: 100 }, '^ab_split_percent'],
    [{ ab_split_percent: 50.5 }, '^ab_split_percent'],
    [{ ab_test_enabled: 'true' }, '^ab_test_enabled'],
    [{ ab_test_enabled: 1 }, '^ab_test_enabled'],
    [{ sending_hour_start_b: 9 }, 'sending_hour_start_b and sending_hour_end_b'],
    [{ sending_hour_end_b: 9 }, 'sending_hour_start_b and sending_hour_end_b'],
    [{ sending_hour_start_b: 9, sending_hour_end_b: null }, 'sending_hour_start_b and sending_hour_end_b'],
    [{ sending_hour_start_b: 9, sending_hour_end_b: 9 }, 'sending_hour_end_b'],
    [{ is_shared_to_all: null }, '^is_shared_to_all'],
    [{ colour: 'red' }, 'colour'],
  ])('%j gives 400 that names the field, and changes nothing', async (patch, message) => {
    const id = await created();
    expect(await admin.patch(`/campaigns/${id}`, { name: 'Other', ...patch })).toMatchObject(invalid(message));
    expect((await admin.get(`/campaigns/${id}`)).body).toMatchObject({ name: 'C', sending_hour_start: 9, sending_hour_start_b: null });
    expect(await admin.post('/campaigns', { name: 'Other', account_id: account, ...patch })).toMatchObject(invalid(message));
  });

  it("variant B's window is both or neither, judged by what results", async () => {
    const id = await created();
    const patch = (body: object) => admin.patch(`/campaigns/${id}`, body);
    expect((await patch({ sending_hour_start_b: 8, sending_hour_end_b: 10 })).status).toBe(200);
    expect((await patch({ sending_hour_end_b: 12 })).body).toMatchObject({ sending_hour_start_b: 8, sending_hour_end_b: 12 });
    expect((await patch({ sending_hour_end_b: 8 })).status).toBe(400);
    expect((await patch({ sending_hour_end_b: null })).status).toBe(400);
    expect((await patch({ sending_hour_start_b: null, sending_hour_end_b: null })).body.sending_hour_end_b).toBeNull();
  });

  it('only the creator and admins set is_shared_to_all; anyone else gets 404 and changes nothing', async () => {
    const own = await created(admin.as(manager.key));
    const other = await created();
    expect((await admin.as(manager.key).patch(`/campaigns/${own}`, { is_shared_to_all: false })).body.is_shared_to_all).toBe(false);
    expect((await admin.patch(`/campaigns/${own}`, { is_shared_to_all: true })).status).toBe(200);
    expect(await admin.as(manager.key).patch(`/campaigns/${other}`, { name: 'X', is_shared_to_all: false })).toMatchObject(notFound);
    expect((await admin.get(`/campaigns/${other}`)).body).toMatchObject({ name: 'C', is_shared_to_all: true });
    expect((await admin.as(manager.key).patch(`/campaigns/${other}`, { name: 'X', is_shared_to_all: true })).status).toBe(200);
  });

  it('an account that is not live, or that the key can’t see, gives 400', async () => {
    const id = await created();
    for (const values of [{ is_archived: true }, { deleted_at: clock.now() }, { workspace_id: elsewhere }])
      expect(await admin.patch(`/campaigns/${id}`, { account_id: await insertAccount(app, values) })).toMatchObject(invalid('account_id'));
    const hidden = await insertAccount(app, { is_shared_to_all: false });
    expect((await admin.as(manager.key).patch(`/campaigns/${id}`, { account_id: hidden })).status).toBe(400);
    expect((await admin.patch(`/campaigns/${id}`, { account_id: hidden })).body.account_id).toBe(hidden);
  });

  it('a new account wakes the old one too, while contacts are written to from there', async () => {
    const { id } = await ready({ status: 'active' });
    await insertEnrolment(app, id, { account_id: account, due_at: clock.now(), last_sent_step: 1 });
    const next = await insertAccount(app);
    await admin.patch(`/campaigns/${id}`, { account_id: next });
    expect([await nextBatch(account), await nextBatch(next)]).toEqual([clock.now(), clock.now()]);
  });

  it('404 before 400 for what the key can’t see, 403 for view_only', async () => {
    const hidden = await insertCampaign(app, { is_shared_to_all: false });
    const foreign = await insertCampaign(app, { workspace_id: elsewhere });
    for (const id of [hidden, foreign, 999_999])
      for (const body of [{ name: 'X' }, { name: '' }, { colour: 1 }])
        expect(await admin.as(manager.key).patch(`/campaigns/${id}`, body)).toMatchObject(notFound);
    expect((await admin.as(reader.key).patch(`/campaigns/${hidden}`, { name: 'X' })).status).toBe(403);
  });
});

describe('warnings', () => {
  it('lists what to check before the campaign is activated, first what keeps emails from leaving', async () => {
    const polled = await insertAccount(app, { imap: '{}' });
    const id = await insertCampaign(app, { status: 'draft', account_id: polled }, [{ subject: 'S', body_html: '{{frist_name}}' }]);
    const { status, body } = await admin.get(`/campaigns/${id}/warnings`);
    expect(status).toBe(200);
    expect(body.data[0]).toEqual({
      ...{ code: 'unknown_placeholder', is_blocking: true, step_order: 1, contacts: 0 },
      message: 'step 1: unknown placeholder {{frist_name}}; its emails will be held',
    });
    expect(body.data.slice(1).every((warning: { is_blocking: boolean }) => !warning.is_blocking)).toBe(true);
    expect(await admin.get('/campaigns/999999/warnings')).toMatchObject(notFound);
  });
});

describe('activate', () => {
  it('starts now: active, starts_at null, the account is woken, audited', async () => {
    const { id } = await ready();
    const { status, body } = await admin.post(`/campaigns/${id}/activate`);
    expect(status).toBe(200);
    expect(body).toEqual((await admin.get(`/campaigns/${id}`)).body);
    expect(body).toMatchObject({ status: 'active', starts_at: null });
    expect(await nextBatch(account)).toEqual(clock.now());
    expect(await audits(id)).toEqual(['campaign.activate']);
    await admin.post(`/campaigns/${id}/activate`);
    expect(await audits(id)).toEqual(['campaign.activate']);
  });

  it('with starts_at it is scheduled; null is as if it were left out', async () => {
    const { id } = await ready();
    const scheduled = await admin.post(`/campaigns/${id}/activate`, { starts_at: '2026-07-08T10:00:00.5+02:00' });
    expect(scheduled.body).toMatchObject({ status: 'active', starts_at: '2026-07-08 08:00:00' });
    expect((await admin.get(`/campaigns/${id}/contacts`)).body.data[0].next_send_at).toBe('2026-07-08 09:00:00');
    expect((await admin.post(`/campaigns/${id}/activate`, { starts_at: null })).body.starts_at).toBeNull();
    expect((await admin.get(`/campaigns/${id}/contacts`)).body.data[0].next_send_at).toBe('2026-07-07 12:00:00');
  });

  it('those enrolled while a later start was planned begin with the others when it is brought forward', async () => {
    const { id } = await ready();
    await admin.post(`/campaigns/${id}/activate`, { starts_at: '2026-08-03T09:00:00Z' });
    await admin.post(`/campaigns/${id}/contacts`, { contact_ids: [await insertContact(app)] });
    await admin.post(`/campaigns/${id}/activate`);
    const { data } = (await admin.get(`/campaigns/${id}/contacts`)).body;
    expect(data.map((row: { next_send_at: string }) => row.next_send_at)).toEqual(['2026-07-07 12:00:00', '2026-07-07 12:00:00']);
  });

  it.each([
    '2026-07-07T12:00:00Z',
    '2026-07-07T11:59:59Z',
    '2026-07-07T13:00:00+02:00',
    '2036-08-07T12:00:00Z',
    '2026-08-01',
    '2026-08-01T10:00:00',
    '2026-08-01 10:00:00Z',
    '2026-02-30T10:00:00Z',
    'tomorrow',
    '',
    1_786_000_000,
    true,
    {},
  ])('starts_at %j gives 400 and changes nothing: not RFC 3339 with a zone, not in the future, or more than ten years ahead', async (starts_at) => {
    const { id } = await ready();
    expect(await admin.post(`/campaigns/${id}/activate`, { starts_at })).toMatchObject(invalid('^starts_at'));
    expect((await admin.get(`/campaigns/${id}`)).body).toMatchObject({ status: 'draft', starts_at: null });
  });

  it('the words for a start that is not in the future are fixed', async () => {
    const { id } = await ready();
    const { body } = await admin.post(`/campaigns/${id}/activate`, { starts_at: TEST_START });
    expect(body).toEqual({ error: { code: 'invalid_request', message: 'starts_at must be in the future' } });
  });

  it('needs at least one step and one enrolled contact, else 400', async () => {
    const withoutStep = await insertCampaign(app, { status: 'draft' }, []);
    await insertEnrolment(app, withoutStep);
    expect(await admin.post(`/campaigns/${withoutStep}/activate`)).toMatchObject(invalid('step'));
    const withoutContact = await insertCampaign(app, { status: 'draft' });
    expect(await admin.post(`/campaigns/${withoutContact}/activate`)).toMatchObject(invalid('contact'));
    expect((await admin.get(`/campaigns/${withoutContact}`)).body.status).toBe('draft');
  });

  it('needs an account that is neither archived nor deleted', async () => {
    for (const values of [{ is_archived: true }, { deleted_at: clock.now() }]) {
      const { id } = await ready({ account_id: await insertAccount(app, values) });
      expect(await admin.post(`/campaigns/${id}/activate`)).toMatchObject(invalid('^account_id'));
    }
  });

  it.each(['draft', 'active', 'paused', 'completed'])('is possible from %s', async (status) => {
    const { id } = await ready({ status });
    expect((await admin.post(`/campaigns/${id}/activate`)).body.status).toBe('active');
  });

  it('brings an archived campaign out of the archive, since it sends again', async () => {
    const { id } = await ready({ status: 'paused', is_archived: true });
    expect((await admin.post(`/campaigns/${id}/activate`)).body).toMatchObject({ status: 'active', is_archived: false });
  });

  it('wakes the accounts that contacts began with, too', async () => {
    const { id } = await ready({ status: 'paused' });
    const first = await insertAccount(app);
    const foreign = await insertAccount(app);
    await insertEnrolment(app, id, { account_id: first, due_at: clock.now(), last_sent_step: 1 });
    await admin.post(`/campaigns/${id}/activate`);
    expect([await nextBatch(first), await nextBatch(foreign)]).toEqual([clock.now(), null]);
  });
});

describe('pause, archive, unarchive, delete', () => {
  it.each(['draft', 'active', 'paused', 'completed'])('pause and archive lead from %s to paused; both can be repeated', async (status) => {
    for (const [action, isArchived] of [
      ['pause', false],
      ['archive', true],
    ] as const) {
      const { id } = await ready({ status });
      for (let times = 0; times < 2; times++) {
        const answer = await admin.post(`/campaigns/${id}/${action}`);
        expect(answer).toMatchObject({ status: 200, body: { id, status: 'paused', is_archived: isArchived } });
        expect(answer.body).toEqual((await admin.get(`/campaigns/${id}`)).body);
      }
      expect(await audits(id)).toEqual(status === 'paused' && action === 'pause' ? [] : [`campaign.${action}`]);
    }
  });

  it('a paused campaign has no next_send_at', async () => {
    const { id } = await ready();
    await admin.post(`/campaigns/${id}/activate`);
    await admin.post(`/campaigns/${id}/pause`);
    expect((await admin.get(`/campaigns/${id}/contacts`)).body.data[0]).toMatchObject({ status: 'active', next_send_at: null });
  });

  it('unarchive lists it again and leaves it paused', async () => {
    const { id } = await ready({ status: 'active' });
    await admin.post(`/campaigns/${id}/archive`);
    for (let times = 0; times < 2; times++)
      expect((await admin.post(`/campaigns/${id}/unarchive`)).body).toMatchObject({ status: 'paused', is_archived: false });
    expect(await audits(id)).toEqual(['campaign.archive', 'campaign.unarchive']);
  });

  it('DELETE answers 204 without a body; the campaign is gone everywhere', async () => {
    const { id } = await ready({ status: 'active' });
    expect(await admin.delete(`/campaigns/${id}`)).toMatchObject({ status: 204, body: undefined });
    const gone = [
      await admin.get(`/campaigns/${id}`),
      await admin.delete(`/campaigns/${id}`),
      await admin.post(`/campaigns/${id}/activate`),
      await admin.get(`/campaigns/${id}/steps`),
      await admin.get(`/campaigns/${id}/contacts`),
      await admin.get(`/campaigns/${id}/stats`),
    ];
    for (const answer of gone) expect(answer).toMatchObject(notFound);
    expect(await audits(id)).toEqual(['campaign.delete']);
  });

  it('actions take no fields; 403 for view_only, 404 for what the key can’t see', async () => {
    const { id } = await ready();
    const hidden = await insertCampaign(app, { is_shared_to_all: false });
    for (const action of ['activate', 'pause', 'archive', 'unarchive']) {
      expect(await admin.post(`/campaigns/${id}/${action}`, { force: true })).toMatchObject(invalid('force'));
      expect((await admin.as(reader.key).post(`/campaigns/${id}/${action}`)).status).toBe(403);
      expect((await admin.as(manager.key).post(`/campaigns/${hidden}/${action}`, { force: true })).status).toBe(404);
    }
    expect((await admin.as(reader.key).delete(`/campaigns/${id}`)).status).toBe(403);
    expect((await admin.as(manager.key).delete(`/campaigns/${hidden}`)).status).toBe(404);
    expect((await admin.get(`/campaigns/${id}`)).body.status).toBe('draft');
  });
});
