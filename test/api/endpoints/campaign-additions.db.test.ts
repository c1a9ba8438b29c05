import { describe, expect, it } from 'vitest';
import { CAMPAIGN_OPTIONS, createRotation } from '../../../src/campaigns/index.ts';
import { DAY } from '../../../src/core/clock.ts';
import { defaultsOf } from '../../../src/fields/option.ts';
import { member } from '../../support/people.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertList, insertRow, rowOf } from '../../support/rows.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

/** Campaign operations that the API has in addition to the specification. */
const { app, api, caller, clock } = await servedInstallation();
const [manager, reader] = [await member(app, 'manager'), await member(app, 'view_only')];

const DEFAULTS = defaultsOf(CAMPAIGN_OPTIONS);

describe('/campaigns/{id}/options', () => {
  it('reads and changes every option, one at a time', async () => {
    const id = await insertCampaign(app);
    expect((await api.get(`/campaigns/${id}/options`)).body).toEqual({ campaign_id: id, ...DEFAULTS });
    const changed = await api.as(manager.key).patch(`/campaigns/${id}/options`, { track_opens: false, when_unknown: 'continue' });
    expect(changed.body).toEqual({ campaign_id: id, ...DEFAULTS, track_opens: false, when_unknown: 'continue' });
    expect((await api.patch(`/campaigns/${id}/options`, changed.body)).body).toEqual(changed.body);
  });

  it('C4: takes several windows a day and a region of holidays, and says what is wrong with others', async () => {
    const id = await insertCampaign(app);
    const set = async (options: object) => api.patch(`/campaigns/${id}/options`, options);
    expect((await set({ more_hours: ['14-17', '22-6'], holidays: 'DE-BY' })).body).toMatchObject({
      more_hours: ['14-17', '22-6'],
      holidays: 'DE-BY',
    });
    expect(await set({ more_hours: ['14-25'] })).toMatchObject(
      refusal(400, 'invalid_request', 'more_hours[0]: "14-25" must be hours such as 9-17, from 0-24'),
    );
    expect(await set({ more_hours: ['9-9'] })).toMatchObject(refusal(400, 'invalid_request', 'more_hours: the two hours must differ'));
    expect(await set({ holidays: 'Bavaria' })).toMatchObject(refusal(400, 'invalid_request', 'holidays: there is no country'));
    expect(await set({ holidays: 'DE-XX' })).toMatchObject(
      refusal(400, 'invalid_request', 'holidays: DE has no part "XX"; its parts are BB'),
    );
    expect((await set({ holidays: null, more_hours: [] })).body).toEqual({ campaign_id: id, ...DEFAULTS });
  });

  it('refuses unknown options, a key that only reads, and a campaign that the key does not see', async () => {
    const id = await insertCampaign(app, { is_shared_to_all: false });
    expect(await api.patch(`/campaigns/${id}/options`, { track_open: false })).toMatchObject(refusal(400, 'invalid_request', 'track_open'));
    expect((await api.as(reader.key).patch(`/campaigns/${id}/options`, { footer: false })).status).toBe(403);
    expect((await api.as(manager.key).get(`/campaigns/${id}/options`)).status).toBe(404);
  });
});

describe('/campaigns/{id}/steps/{step_id}/options', () => {
  it('C4: a step waits in hours and business days beside its days, from its creation or later, and copies do', async () => {
    const id = await insertCampaign(app);
    const wait = { wait_hours: 6, business_days: true };
    const step = (await api.post(`/campaigns/${id}/steps`, { body_html: '<p>B</p>', wait_days: 2, ...wait })).body;
    expect(Object.keys(step)).not.toContain('wait_hours');
    const path = `/campaigns/${id}/steps/${step.id}`;
    expect((await api.get(`${path}/options`)).body).toEqual({ step_id: step.id, ...wait });
    expect((await api.patch(`${path}/options`, { business_days: false })).body).toEqual({
      step_id: step.id,
      wait_hours: 6,
      business_days: false,
    });
    expect((await api.patch(path, { wait_days: 0, wait_hours: 12 })).body.wait_days).toBe(0);
    expect(await api.patch(`${path}/options`, { wait_hours: 721 })).toMatchObject(
      refusal(400, 'invalid_request', 'wait_hours: must be at most 720'),
    );
    const copy = (await api.post(`/campaigns/${id}/copy`, {})).body;
    const [, second] = (await api.get(`/campaigns/${copy.id}/steps`)).body.data;
    expect((await api.get(`/campaigns/${copy.id}/steps/${second.id}/options`)).body).toMatchObject({
      wait_hours: 12,
      business_days: false,
    });
  });
});

describe('POST /campaigns/{id}/copy', () => {
  it('copies settings, options and steps as a draft of the key, without contacts and the past', async () => {
    const settings = { timezone: 'Europe/Berlin', sending_days: [1, 3], track_clicks: false, stop_company: true, starts_at: clock.now() };
    const id = await insertCampaign(app, { name: 'Fair', ...settings }, [{ subject: 'One' }, { wait_days: 3, body_html: 'Two' }]);
    await insertEnrolment(app, id, { due_at: clock.now() });
    const { status, body } = await api.as(manager.key).post(`/campaigns/${id}/copy`, {});
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'Fair (copy)', status: 'draft', timezone: 'Europe/Berlin', sending_days: [1, 3], starts_at: null, step_count: 2 },
    });
    expect(body.contact_count).toBe(0);
    expect((await api.get(`/campaigns/${body.id}/options`)).body).toMatchObject({ track_clicks: false, stop_company: true });
    expect((await api.get(`/campaigns/${body.id}/steps`)).body.data).toMatchObject([
      { subject: 'One' },
      { wait_days: 3, body_html: 'Two' },
    ]);
    expect(await rowOf(app, 'campaigns', body.id)).toMatchObject({ created_by: manager.id });
  });

  it('takes a name, leaves a rotation group, and keeps a name within its limit', async () => {
    const id = await insertCampaign(app, { name: 'x'.repeat(255), status: 'draft' });
    await createRotation(app, caller, id, [await insertAccount(app)]);
    const { body } = await api.post(`/campaigns/${id}/copy`, { name: 'Mine' });
    expect(body.name).toBe('Mine');
    expect(await rowOf(app, 'campaigns', body.id)).toMatchObject({ rotation_group_id: null, status: 'draft' });
    expect((await api.post(`/campaigns/${id}/copy`, {})).body.name).toBe(`${'x'.repeat(248)} (copy)`);
  });

  it('refuses a key that only reads', async () => {
    expect((await api.as(reader.key).post(`/campaigns/${await insertCampaign(app)}/copy`, {})).status).toBe(403);
  });
});

describe('POST /campaigns/{id}/contacts?details=true', () => {
  it('names the contacts that were skipped, with the reason', async () => {
    const id = await insertCampaign(app);
    const [fresh, archived, hidden] = [
      await insertContact(app),
      await insertContact(app, { is_archived: true }),
      await insertContact(app, { is_shared_to_all: false }),
    ];
    const { contactId: there } = await insertEnrolment(app, id);
    const list = await insertList(app, [there, archived]);
    const body = { contact_ids: [fresh, hidden, 999_999], list_ids: [list] };
    const answer = await api.as(manager.key).post(`/campaigns/${id}/contacts?details=true`, body);
    expect(answer.body).toEqual({
      enrolled: 1,
      skipped: [
        { contact_id: archived, reason: 'archived' },
        { contact_id: hidden, reason: 'not_found' },
        { contact_id: there, reason: 'already_enrolled' },
        { contact_id: 999_999, reason: 'not_found' },
      ],
    });
    expect((await api.post(`/campaigns/${id}/contacts`, { contact_ids: [fresh] })).body).toEqual({ enrolled: 0 });
  });

  it('counts a contact of any campaign of a rotation group as enrolled', async () => {
    const id = await insertCampaign(app, { status: 'draft' });
    const group = await createRotation(app, caller, id, [await insertAccount(app)]);
    const other = group.members.find(({ campaign_id }) => campaign_id !== id)?.campaign_id ?? 0;
    const { contactId } = await insertEnrolment(app, other);
    const { body } = await api.post(`/campaigns/${id}/contacts?details=true`, { contact_ids: [contactId] });
    expect(body).toEqual({ enrolled: 0, skipped: [{ contact_id: contactId, reason: 'already_enrolled' }] });
  });

  it('is a query parameter, and true or false', async () => {
    const id = await insertCampaign(app);
    expect(await api.post(`/campaigns/${id}/contacts?details=yes`, { contact_ids: [1] })).toMatchObject(
      refusal(400, 'invalid_request', 'details'),
    );
    const inBody = await api.post(`/campaigns/${id}/contacts`, { contact_ids: [1], details: true });
    expect(inBody).toMatchObject(refusal(400, 'invalid_request', 'unknown field "details"; it is a query parameter'));
    expect(await api.post(`/campaigns/${id}/contacts?detail=true`, {})).toMatchObject(refusal(400, 'invalid_request', 'detail'));
  });
});

describe('GET /campaigns/{id}/contacts?status=', () => {
  it('lists the contacts with one status, with their number', async () => {
    const id = await insertCampaign(app);
    await insertEnrolment(app, id, { due_at: clock.now() });
    const { contactId } = await insertEnrolment(app, id, { status: 'replied' });
    const { body } = await api.get(`/campaigns/${id}/contacts?status=replied&limit=1`);
    expect(body).toMatchObject({ data: [{ contact_id: contactId, status: 'replied' }], pagination: { total: 1 } });
    expect((await api.get(`/campaigns/${id}/contacts?status=bounced`)).body).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it('has a total of those whom the caller can see: shared with all or with them, their own, archived, and nobody who is deleted', async () => {
    const id = await insertCampaign(app);
    const ofOthers = { is_shared_to_all: false };
    for (const values of [{}, { is_archived: true }, { deleted_at: clock.now() }, ofOthers, { ...ofOthers, created_by: manager.id }])
      await insertEnrolment(app, id, { status: 'completed', contact_id: await insertContact(app, values) });
    const shared = await insertContact(app, ofOthers);
    await insertEnrolment(app, id, { status: 'completed', contact_id: shared });
    await insertRow(app, 'shares', {
      ...{ workspace_id: 1, resource_type: 'contacts', resource_id: shared, user_id: manager.id, granted_at: clock.now() },
    });
    for (const [caller, total] of [
      [api, 5],
      [api.as(manager.key), 4],
    ] as const) {
      const { body } = await caller.get(`/campaigns/${id}/contacts?status=completed`);
      expect([body.pagination.total, body.data.length]).toEqual([total, total]);
    }
  });
});

const orderOf = async (id: number): Promise<string[]> =>
  (await api.get(`/campaigns/${id}/steps`)).body.data.map((step: { body_html: string }) => step.body_html);
const stepsOf = async (id: number): Promise<number[]> =>
  (await api.get(`/campaigns/${id}/steps`)).body.data.map((step: { id: number }) => step.id);

describe('POST /campaigns/{id}/steps/{step_id}/move', () => {
  const threeSteps = () =>
    insertCampaign(app, {}, [
      { subject: 'Hello', body_html: 'a' },
      { subject: '', body_html: 'b' },
      { subject: '', body_html: 'c', wait_days: 4 },
    ]);

  it('numbers the steps anew, and gives the new first one a subject', async () => {
    const id = await threeSteps();
    const [, , last] = await stepsOf(id);
    const { status, body } = await api.post(`/campaigns/${id}/steps/${last}/move`, { step_order: 1 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { id: last, step_order: 1, subject: 'Hello', body_html: 'c' },
      { step_order: 2, body_html: 'a' },
      { step_order: 3, body_html: 'b' },
    ]);
    await api.post(`/campaigns/${id}/steps/${last}/move`, { step_order: 2 });
    expect(await orderOf(id)).toEqual(['a', 'c', 'b']);
  });

  it('moves it in every campaign of a rotation group', async () => {
    const id = await threeSteps();
    const { members } = await createRotation(app, caller, id, [await insertAccount(app)]);
    const [first] = await stepsOf(id);
    await api.post(`/campaigns/${id}/steps/${first}/move`, { step_order: 3 });
    for (const { campaign_id } of members) expect(await orderOf(campaign_id)).toEqual(['b', 'c', 'a']);
  });

  it('a contact who waits for the place gets the step that comes there, after its wait', async () => {
    const id = await threeSteps();
    const { id: enrolment } = await insertEnrolment(app, id, {
      ...{ current_step: 2, last_sent_step: 1, last_sent_at: clock.now(), due_at: clock.now() },
    });
    const [, , last] = await stepsOf(id);
    expect((await api.post(`/campaigns/${id}/steps/${last}/move`, { step_order: 2 })).status).toBe(200);
    const { due_at } = await rowOf<{ due_at: Date }>(app, 'enrolments', enrolment);
    expect(due_at.getTime()).toBe(clock.now().getTime() + 4 * DAY);
  });

  it('is refused once somebody reached one of the steps: they would miss one, or get one twice', async () => {
    const id = await threeSteps();
    await insertEnrolment(app, id, { current_step: 3, last_sent_step: 2, last_sent_at: clock.now(), due_at: clock.now() });
    const [, second, last] = await stepsOf(id);
    const message = "contacts have reached step 2, so the order can't change from there on; copy the campaign instead";
    expect(await api.post(`/campaigns/${id}/steps/${last}/move`, { step_order: 2 })).toMatchObject(refusal(409, 'conflict', message));
    expect(await api.post(`/campaigns/${id}/steps/${second}/move`, { step_order: 3 })).toMatchObject(refusal(409, 'conflict', message));
    expect(await orderOf(id)).toEqual(['a', 'b', 'c']);
  });

  it('is refused while an email of one of the steps is on its way', async () => {
    const id = await threeSteps();
    const [first, , last] = await stepsOf(id);
    const { id: enrolment, contactId } = await insertEnrolment(app, id);
    const { account_id } = await rowOf<{ account_id: number }>(app, 'campaigns', id);
    await insertRow(app, 'outbox', {
      ...{ workspace_id: 1, campaign_id: id, enrolment_id: enrolment, contact_id: contactId, account_id, step_id: first, step_order: 1 },
      ...{ recipient: 'r@example.org', state: 'claimed', message_id: '<m1>', claimed_at: clock.now() },
    });
    expect((await api.post(`/campaigns/${id}/steps/${last}/move`, { step_order: 1 })).status).toBe(409);
  });

  it('refuses a call as step 1, a place that does not exist, and a key that only reads', async () => {
    const id = await insertCampaign(app, {}, [{ body_html: 'a' }, { body_html: 'b', kind: 'call' }]);
    const [first, call] = await stepsOf(id);
    expect(await api.post(`/campaigns/${id}/steps/${call}/move`, { step_order: 1 })).toMatchObject(
      refusal(409, 'conflict', "can't become step 1"),
    );
    expect(await api.post(`/campaigns/${id}/steps/${first}/move`, { step_order: 3 })).toMatchObject(
      refusal(400, 'invalid_request', 'step_order: must be from 1 to 2'),
    );
    expect((await api.as(reader.key).post(`/campaigns/${id}/steps/${first}/move`, { step_order: 1 })).status).toBe(403);
  });

  it('tries an email again that was held for the content of the step before', async () => {
    const id = await threeSteps();
    const { id: enrolment } = await insertEnrolment(app, id, {
      due_at: null,
      hold_kind: 'content',
      content_fault: 'unknown placeholder {{x}}',
      content_version: 'v',
    });
    const [, second] = await stepsOf(id);
    await api.post(`/campaigns/${id}/steps/${second}/move`, { step_order: 1 });
    expect(await rowOf(app, 'enrolments', enrolment)).toMatchObject({ content_fault: null });
  });
});
