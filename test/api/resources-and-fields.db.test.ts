import { beforeAll, describe, expect, it } from 'vitest';
import { member } from '../support/people.ts';
import { insertAccount } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const { api, app } = await servedInstallation();

const TIMES = ['created_at', 'updated_at'];
/** The fields of each resource, as the specification lists them, and where one is read. */
const FIELDS: Record<string, { path: () => string; fields: string[] }> = {
  Campaign: {
    path: () => `/campaigns/${ids.campaign}`,
    fields: [
      ...['id', 'name', 'status', 'account_id', 'account_email', 'reply_to', 'reply_to_connected', 'timezone', 'sending_days'],
      ...['sending_hour_start', 'sending_hour_end', 'ab_test_enabled', 'ab_split_percent', 'sending_hour_start_b', 'sending_hour_end_b'],
      ...['starts_at', 'is_archived', 'is_shared_to_all', 'step_count', 'contact_count', ...TIMES],
    ],
  },
  'Campaign step': {
    path: () => `/campaigns/${ids.campaign}/steps`,
    fields: ['id', 'step_order', 'subject', 'body_html', 'subject_b', 'body_html_b', 'wait_days', 'kind'],
  },
  'Enrolment record': {
    path: () => `/campaigns/${ids.campaign}/contacts`,
    fields: ['contact_id', 'name', 'email', 'status', 'current_step', 'next_send_at'],
  },
  'The per-contact campaign listing': {
    path: () => `/contacts/${ids.contact}/campaigns`,
    fields: ['campaign_id', 'campaign_name', 'status', 'current_step', 'next_send_at'],
  },
  'Event record, with campaign_id in the global feed only': {
    path: () => '/events',
    fields: ['id', 'campaign_id', 'contact_id', 'type', 'step_order', 'url', 'timestamp'],
  },
  'Event record': {
    path: () => `/campaigns/${ids.campaign}/events`,
    fields: ['id', 'contact_id', 'type', 'step_order', 'url', 'timestamp'],
  },
  'Campaign stats': {
    path: () => `/campaigns/${ids.campaign}/stats`,
    fields: ['contacts', 'steps', 'sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'],
  },
  Contact: {
    path: () => `/contacts/${ids.contact}`,
    fields: ['id', 'name', 'email', 'company', 'custom_fields', 'is_archived', 'is_shared_to_all', ...TIMES],
  },
  List: { path: () => `/lists/${ids.list}`, fields: ['id', 'name', 'contact_count', ...TIMES] },
  'A member record': { path: () => `/lists/${ids.list}/members`, fields: ['contact_id', 'name', 'email'] },
  'Custom field': { path: () => '/custom-fields', fields: ['id', 'name', 'key', 'field_type', 'created_at'] },
  Suppression: { path: () => '/suppressions', fields: ['id', 'email', 'reason', 'created_at'] },
  Template: {
    path: () => `/templates/${ids.template}`,
    fields: ['id', 'name', 'type', 'subject', 'body_html', 'is_archived', 'is_shared_to_all', ...TIMES],
  },
  'Sending account': {
    path: () => `/accounts/${ids.account}`,
    fields: [
      ...['id', 'provider', 'email', 'from_name', 'status', 'daily_send_limit', 'timezone', 'send_window_start_hour'],
      ...['send_window_end_hour', 'send_batch_min', 'send_batch_max', 'send_batch_interval_minutes', 'pause_reason'],
      ...['pause_message', 'is_archived', 'connected_at'],
    ],
  },
  'Share record': {
    path: () => `/contacts/${ids.contact}/shares`,
    fields: ['user_id', 'name', 'email', 'granted_by', 'granted_at'],
  },
  User: { path: () => '/users', fields: ['id', 'name', 'email', 'role', 'disabled', 'pending_invite', 'created_at'] },
  'GET /me': { path: () => '/me', fields: ['user_id', 'name', 'email', 'role', 'api_key_id'] },
};

const ids: Record<string, number> = {};
const made = async (path: string, body: object) => (await api.post(path, body)).body.id as number;

beforeAll(async () => {
  ids.account = await insertAccount(app);
  ids.campaign = await made('/campaigns', { name: 'C', account_id: ids.account });
  ids.step = await made(`/campaigns/${ids.campaign}/steps`, { subject: 'S', body_html: 'B' });
  ids.list = await made('/lists', { name: 'L' });
  ids.contact = await made('/contacts', { email: 'ada@example.org', list_ids: [ids.list] });
  ids.template = await made('/templates', { name: 'T', body_html: 'B' });
  await made('/custom-fields', { name: 'F' });
  await made('/suppressions', { email: 'never@example.org', reason: 'asked' });
  await api.post(`/campaigns/${ids.campaign}/contacts`, { contact_ids: [ids.contact] });
  await api.post(`/contacts/${ids.contact}/shares`, { user_id: (await member(app, 'manager')).id });
});

/** Returns the record itself, or the first of a list. */
const read = async (path: string) => {
  const { status, body } = await api.get(path);
  expect(status, path).toBe(200);
  return 'data' in body ? body.data[0] : body;
};

describe('Resources and their fields', () => {
  it.each(Object.entries(FIELDS))('%s: exactly the fields of the specification', async (_name, { path, fields }) => {
    expect(Object.keys(await read(path())).sort()).toEqual([...fields].sort());
  });

  it('Identifiers: integers. Response timestamps: UTC, YYYY-MM-DD HH:MM:SS', async () => {
    for (const { path } of Object.values(FIELDS))
      for (const [field, value] of Object.entries(await read(path()))) {
        if (/(^|_)id$/.test(field)) expect(Number.isInteger(value), `${path()} ${field}`).toBe(true);
        if (/(_at|^timestamp)$/.test(field) && value !== null)
          expect(value, `${path()} ${field}`).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      }
  });
});

describe('PATCH is a partial update', () => {
  const CHANGEABLE = [
    ['campaigns', 'campaign', { name: 'Changed' }],
    ['contacts', 'contact', { name: 'Changed' }],
    ['lists', 'list', { name: 'Changed' }],
    ['templates', 'template', { name: 'Changed' }],
  ] as const;

  it.each(CHANGEABLE)('%s: what GET gave is sent back with one field changed, read-only fields are ignored', async (type, kind, change) => {
    const path = `/${type}/${ids[kind]}`;
    const before = await read(path);
    const answer = await api.patch(path, { ...before, ...change });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toEqual({ ...before, ...change, updated_at: answer.body.updated_at });
    expect(await read(path)).toEqual(answer.body);
  });

  it('steps: likewise', async () => {
    const before = await read(`/campaigns/${ids.campaign}/steps`);
    const answer = await api.patch(`/campaigns/${ids.campaign}/steps/${before.id}`, { ...before, subject: 'Changed' });
    expect(answer).toMatchObject({ status: 200, body: { ...before, subject: 'Changed' } });
  });

  /** Decision B20: "a read-only field of the resource is ignored; a name that is no field at all → 400 naming it". */
  it.each([
    ['contacts', { update: true }, 'unchanged'],
    ['suppressions', {}, 'present'],
  ])('%s: rows of a list are sent back in a batch, read-only fields are ignored', async (type, options, status) => {
    const rows = (await api.get(`/${type}`)).body.data;
    const answer = await api.post(`/${type}/batch`, { [type]: rows, ...options });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.data.map((row: { status: string }) => row.status)).toEqual(rows.map(() => status));
    const odd = await api.post(`/${type}/batch`, { [type]: [{ ...rows[0], colour: 'red' }], ...options });
    expect(odd).toMatchObject(refusal(400, 'invalid_request', `${type}[0]: unknown field "colour"`));
    expect(await api.post(`/${type}/batch`, { [type]: rows, id: 1 })).toMatchObject(refusal(400, 'invalid_request', 'unknown field "id"'));
  });

  it.each(CHANGEABLE)('%s: a name that is no field gives 400 naming it, and nothing is changed', async (type, kind) => {
    const path = `/${type}/${ids[kind]}`;
    const before = await read(path);
    expect(await api.patch(path, { name: 'Other', colour: 'red' })).toMatchObject(
      refusal(400, 'invalid_request', 'unknown field "colour"'),
    );
    expect(await read(path)).toEqual(before);
  });

  it.each(CHANGEABLE)('%s: an empty change is one, of nothing', async (type, kind) => {
    const path = `/${type}/${ids[kind]}`;
    const before = await read(path);
    expect(await api.patch(path, {})).toMatchObject({ status: 200, body: before });
  });
});
