import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import { recordEvents } from '../../src/events/index.ts';
import { WEBHOOK_TYPES } from '../../src/webhooks/index.ts';
import type { ApiClient } from '../support/api-client.ts';
import { member, workspace } from '../support/people.ts';
import { startReceiver } from '../support/receiver.ts';
import { eventOf, insertCampaign, insertEnrolment } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

let app: App;
let api: ApiClient;
let manager: ApiClient;

beforeAll(async () => {
  ({ app, api } = await servedInstallation({ webhooksAllowPrivate: true }));
  manager = api.as((await member(app, 'manager')).key);
});

const URL_ = 'https://example.com/hook';
const RECORD = {
  id: expect.any(Number),
  name: 'example.com',
  url: URL_,
  types: [],
  labels: [],
  quiet_hours: null,
  campaign_ids: [],
  format: 'json',
  include_body: false,
  is_enabled: true,
  disabled_reason: null,
  last_success_at: null,
  last_failure_at: null,
  consecutive_failures: 0,
  created_at: '2026-07-07 12:00:00',
  updated_at: '2026-07-07 12:00:00',
};
const added = async (body: object = {}, as = api) =>
  (await as.post('/webhooks', { url: URL_, ...body })).body as { id: number; secret: string };

describe('Webhooks', () => {
  it('POST answers 201 with the record and the secret, which no other answer holds', async () => {
    const { status, body } = await api.post('/webhooks', { url: URL_ });
    expect(status).toBe(201);
    expect(body).toEqual({ ...RECORD, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const { secret: _, ...record } = body;
    expect((await api.get(`/webhooks/${body.id}`)).body).toEqual(record);
    expect((await api.get('/webhooks')).body.data).toContainEqual(record);
    expect(JSON.stringify(await app.db.query(sql`select * from webhooks`))).not.toContain(body.secret.slice(6));
    expect(JSON.stringify(await app.db.query(sql`select * from audit_log`))).not.toContain(body.secret.slice(6));
  });

  it('PATCH changes what it names; what GET gave can be sent back', async () => {
    const { id } = await added();
    const campaign = await insertCampaign(app);
    const change = { name: 'CRM', types: ['event.replied', 'event.sent'], campaign_ids: [campaign], include_body: true, is_enabled: false };
    const changed = await api.patch(`/webhooks/${id}`, change);
    expect(changed).toMatchObject({ status: 200, body: { ...change, disabled_reason: 'disabled manually' } });
    expect((await api.patch(`/webhooks/${id}`, changed.body)).body).toEqual(changed.body);
    expect((await api.patch(`/webhooks/${id}`, { is_enabled: true })).body).toMatchObject({ is_enabled: true, disabled_reason: null });
  });

  it('POST takes every field that PATCH takes: one that is off from the start gets nothing', async () => {
    const { status, body } = await api.post('/webhooks', { url: URL_, is_enabled: false });
    expect(status).toBe(201);
    expect(body).toMatchObject({ is_enabled: false, disabled_reason: 'disabled manually' });
    const { secret: _, ...record } = body;
    expect((await api.post('/webhooks', record)).body).toMatchObject({ ...record, id: expect.any(Number) });
  });

  it.each([
    [{ url: 'ftp://example.com' }, 'url: must start with https://'],
    [{ url: 'https://u:p@example.com' }, 'url: must not contain a user name'],
    [{ url: 7 }, 'url: must be a string'],
    [{ url: URL_, types: ['event.sold'] }, 'types: unknown type "event.sold"; known types: event.sent'],
    [{ url: URL_, types: ['webhook.test'] }, 'types: unknown type "webhook.test"'],
    [{ url: URL_, campaign_ids: [999_999] }, 'campaign_ids: there is no campaign 999999'],
    [{ url: URL_, campaign_ids: ['1'] }, 'campaign_ids[0]: must be an integer'],
    [{ url: URL_, include_body: 'yes' }, 'include_body: must be true or false'],
    [{ url: URL_, name: '' }, 'name: must not be empty'],
    [{ url: URL_, color: 'red' }, 'unknown field "color"'],
    [{}, 'url: is required'],
  ])('%j is refused', async (body, message) => {
    expect(await api.post('/webhooks', body)).toMatchObject(refusal(400, 'invalid_request', message));
  });

  it('DELETE answers 204; it is gone, and its secret with it', async () => {
    const { id } = await added();
    expect((await api.delete(`/webhooks/${id}`)).status).toBe(204);
    for (const answer of [api.get(`/webhooks/${id}`), api.delete(`/webhooks/${id}`), api.post(`/webhooks/${id}/test`)])
      expect(await answer).toMatchObject(refusal(404, 'not_found'));
    expect(await app.db.query(sql`select secret from webhooks where id = ${id}`)).toEqual([{ secret: '' }]);
  });

  it('rotate-secret answers another secret', async () => {
    const { id, secret } = await added();
    const { status, body } = await api.post(`/webhooks/${id}/rotate-secret`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...RECORD, id, secret: expect.stringMatching(/^whsec_/) });
    expect(body.secret).not.toBe(secret);
  });

  it('event-types names every type, those of high volume marked', async () => {
    const { data } = (await api.get('/webhooks/event-types')).body as { data: { type: string; is_high_volume: boolean }[] };
    expect(data.map(({ type }) => type)).toEqual(WEBHOOK_TYPES);
    expect(data.filter((row) => row.is_high_volume).map(({ type }) => type)).toEqual(['event.sent', 'event.opened', 'event.clicked']);
  });

  it('a workspace has at most 50, also when they are added at once', async () => {
    const elsewhere = await workspace(app);
    const theirs = api.as((await member(app, 'admin', { workspaceId: elsewhere })).key);
    const answers = await Promise.all(Array.from({ length: 55 }, () => theirs.post('/webhooks', { url: URL_ })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject(refusal(409, 'conflict', 'at most 50 webhooks'));
  });
});

describe('Who may', () => {
  it('view_only: 403 for all of it', async () => {
    const { id } = await added();
    const viewer = api.as((await member(app, 'view_only')).key);
    for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries`, '/webhooks/event-types'])
      expect(await viewer.get(path)).toMatchObject(refusal(403, 'forbidden'));
    expect(await viewer.post('/webhooks', {})).toMatchObject(refusal(403, 'forbidden'));
  });

  it('a manager sees their own, an admin all, nobody those of another workspace', async () => {
    const [own, admins] = [await added({}, manager), await added()];
    expect((await manager.get('/webhooks')).body.data.map((row: { id: number }) => row.id)).toEqual([own.id]);
    expect((await manager.get(`/webhooks/${admins.id}`)).status).toBe(404);
    expect(await manager.patch(`/webhooks/${admins.id}`, { url: 1 })).toMatchObject(refusal(404, 'not_found'));
    expect((await api.get(`/webhooks/${own.id}`)).status).toBe(200);
    const elsewhere = await workspace(app);
    const stranger = api.as((await member(app, 'admin', { workspaceId: elsewhere })).key);
    expect((await stranger.get('/webhooks')).body.data).toEqual([]);
    for (const answer of [
      stranger.get(`/webhooks/${own.id}`),
      stranger.patch(`/webhooks/${own.id}`, { name: 'mine' }),
      stranger.get(`/webhooks/${own.id}/deliveries`),
      stranger.post(`/webhooks/${own.id}/replay`, {}),
      stranger.post(`/webhooks/${own.id}/rotate-secret`),
    ])
      expect(await answer).toMatchObject(refusal(404, 'not_found'));
  });
});

describe('Deliveries', () => {
  it('are listed newest first, by status, type and time; one can be delivered again, and a span replayed', async () => {
    const { id } = await added({ types: ['event.bounced', 'event.failed'] });
    const who = await insertEnrolment(app, await insertCampaign(app));
    await app.db.tx((tx) => recordEvents(tx, [eventOf(app, who, 'bounced'), eventOf(app, who, 'failed')]));
    const list = (query = '') => api.get(`/webhooks/${id}/deliveries${query}`);
    const { body } = await list();
    expect(body.pagination).toEqual({ total: 2, limit: 50, offset: 0 });
    expect(body.data[0]).toEqual({
      id: expect.any(Number),
      webhook_id: id,
      message_id: expect.stringMatching(/^msg_/),
      type: 'event.failed',
      event_id: expect.any(Number),
      status: 'pending',
      attempts: 0,
      next_attempt_at: '2026-07-07 12:00:00',
      last_attempt_at: null,
      response_status: null,
      response: null,
      error: null,
      duration_ms: null,
      created_at: '2026-07-07 12:00:00',
    });
    expect((await list('?type=event.bounced')).body.pagination.total).toBe(1);
    expect((await list('?status=failed')).body.pagination.total).toBe(0);
    expect((await list('?since=2026-07-07T12:00:01Z')).body.pagination.total).toBe(0);
    expect(await list('?status=open')).toMatchObject(refusal(400, 'invalid_request', 'status: must be one of'));
    await app.db.query(
      sql`update webhook_deliveries set status = 'failed', attempts = 10, next_attempt_at = null where webhook_id = ${id}`,
    );
    const again = await api.post(`/webhooks/${id}/deliveries/${body.data[0].id}/redeliver`);
    expect(again).toMatchObject({ status: 200, body: { status: 'pending', attempts: 0, message_id: body.data[0].message_id } });
    const replayed = await api.post(`/webhooks/${id}/replay`, {
      since: '2026-07-07T00:00:00Z',
      until: '2026-07-08T00:00:00Z',
      only_failed: true,
    });
    expect(replayed).toMatchObject({ status: 200, body: { queued: 1 } });
    const other = await added();
    expect(await api.post(`/webhooks/${other.id}/deliveries/${body.data[0].id}/redeliver`)).toMatchObject(refusal(404, 'not_found'));
  });

  /** The contract: a "missing or invalid field" is answered with 400. */
  it('a replay of a type that does not exist is refused, not answered with 0', async () => {
    const { id } = await added();
    const answer = await api.post(`/webhooks/${id}/replay`, { since: '2026-07-07T00:00:00Z', types: ['event.replied', 'event.sold'] });
    expect(answer).toMatchObject(refusal(400, 'invalid_request'));
    expect(answer.body.error.message).toContain('types: unknown type "event.sold"; known types: event.sent');
  });

  it('test answers the delivery', async () => {
    const receiver = await startReceiver();
    const { id } = await added({ url: receiver.url });
    expect(await api.post(`/webhooks/${id}/test`)).toMatchObject({ status: 200, body: { type: 'webhook.test', status: 'delivered' } });
    expect(receiver.received).toHaveLength(1);
  });
});
