import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { DAY, type ManualClock } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../../src/main/daemon.ts';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { TEST_START, testInstallation } from '../../support/database.ts';
import { numberFaults } from '../../support/number-faults.ts';
import { member } from '../../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment, insertRow, joinInGroup, rowOf } from '../../support/rows.ts';

let app: App;
let clock: ManualClock;
let daemon: Daemon;
let admin: ApiClient;
let manager: ApiClient;
let reader: ApiClient;
let campaign: number;

beforeAll(async () => {
  const installation = await testInstallation();
  ({ app, clock } = installation);
  daemon = await startDaemon(app, { worker: false, databaseUrl: installation.databaseUrl });
  admin = apiClient(daemon.url ?? '', installation.adminKey);
  manager = admin.as((await member(app, 'manager')).key);
  reader = admin.as((await member(app, 'view_only')).key);
});
afterAll(() => daemon?.stop());
beforeEach(async () => {
  clock.set(TEST_START);
  campaign = await insertCampaign(app, {}, []);
});

const path = (step?: number, id = campaign) => `/campaigns/${id}/steps${step === undefined ? '' : `/${step}`}`;
const add = async (body: object = {}, id = campaign) => {
  const answer = await admin.post(path(undefined, id), { body_html: '<p>Hi</p>', ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.id as number;
};
const steps = async (id = campaign) => (await admin.get(path(undefined, id))).body.data as { id: number; step_order: number }[];
const invalid = (message: string) => ({
  status: 400,
  body: { error: { code: 'invalid_request', message: expect.stringMatching(message) } },
});
const notFound = { status: 404, body: { error: { code: 'not_found' } } };
const audits = async () =>
  (
    await app.db.query<{ action: string }>(
      sql`select action from audit_log where resource_type = 'campaign' and resource_id = ${campaign} order by id`,
    )
  ).map((row) => row.action);

describe('POST /campaigns/{id}/steps', () => {
  it('appends a step: 201, exactly the fields of the reference, the defaults', async () => {
    const { status, body } = await admin.post(path(), { body_html: '<p>{{name}}</p>' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ id: expect.any(Number), step_order: 1, subject: '', body_html: '<p>{{name}}</p>', subject_b: null, body_html_b: null },
      ...{ wait_days: 0, kind: 'email' },
    });
    const second = { subject: 'S', body_html: 'B', subject_b: 'SB', body_html_b: 'BB', wait_days: 365, kind: 'call' };
    expect((await admin.post(path(), second)).body).toMatchObject({ step_order: 2, ...second });
    expect(await steps()).toMatchObject([
      { id: body.id, step_order: 1 },
      { step_order: 2, kind: 'call' },
    ]);
    expect(await audits()).toEqual(['step.create', 'step.create']);
  });

  it.each([
    [{}, '^body_html'],
    [{ body_html: '' }, '^body_html'],
    [{ body_html: null }, '^body_html'],
    [{ body_html: 'é'.repeat(128 * 1024 + 1) }, '^body_html: at most 256 KiB'],
    [{ body_html: 'x', body_html_b: '' }, '^body_html_b'],
    [{ body_html: 'x', subject: 'a\r\nBcc: b@example.com' }, '^subject'],
    [{ body_html: 'x', subject: 'x'.repeat(501) }, '^subject: at most 500 characters'],
    [{ body_html: 'x', subject: null }, '^subject'],
    [{ body_html: 'x', subject_b: 'a\nb' }, '^subject_b'],
    [{ body_html: 'x', wait_days: -1 }, '^wait_days'],
    [{ body_html: 'x', wait_days: 366 }, '^wait_days'],
    [{ body_html: 'x', wait_days: 1.5 }, '^wait_days'],
    [{ body_html: 'x', wait_days: '1' }, '^wait_days'],
    [{ body_html: 'x', kind: 'sms' }, '^kind: must be email or call'],
    [{ body_html: 'x', delay: 1 }, 'delay'],
  ])('%j gives 400 that names the field', async (body, message) => {
    expect(await admin.post(path(), body)).toMatchObject(invalid(message));
    expect(await steps()).toEqual([]);
  });

  it('a body of exactly 256 KiB and a subject of 500 characters are taken whole', async () => {
    const body = { body_html: 'é'.repeat(128 * 1024), subject: 'ü'.repeat(500) };
    expect((await admin.post(path(), body)).body).toMatchObject(body);
  });

  it('a call can’t be step 1', async () => {
    expect(await admin.post(path(), { body_html: 'Ask', kind: 'call' })).toMatchObject(invalid('^kind'));
    await add();
    expect((await admin.post(path(), { body_html: 'Ask', kind: 'call' })).status).toBe(201);
  });

  it('at most 50 steps', async () => {
    await app.db.query(sql`
      insert into steps (campaign_id, step_order, body_html, created_at, updated_at)
      select ${campaign}::int, n, 'x', ${clock.now()}::timestamptz, ${clock.now()}::timestamptz from generate_series(1, 49) n`);
    await add();
    expect(await admin.post(path(), { body_html: 'x' })).toMatchObject(invalid('at most 50 steps'));
  });

  it('two at the same time get two numbers', async () => {
    await Promise.all([...Array(6)].map(() => add()));
    expect((await steps()).map((step) => step.step_order)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('an unknown placeholder is accepted: its field may come later', async () => {
    expect((await admin.post(path(), { body_html: '{{nobody_knows}}' })).status).toBe(201);
  });

  it('a step appended to a completed campaign does not reopen it, nor those who completed it', async () => {
    const id = await insertCampaign(app, { status: 'completed' });
    const enrolment = await insertEnrolment(app, id, { status: 'completed' });
    await add({}, id);
    expect((await admin.get(`/campaigns/${id}`)).body).toMatchObject({ status: 'completed', step_count: 2 });
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({ status: 'completed', current_step: 1 });
  });
});

describe('PATCH /campaigns/{id}/steps/{step_id}', () => {
  it('changes the included fields; an explicit null clears a B variant', async () => {
    const id = await add({ subject: 'S', subject_b: 'SB', body_html_b: 'BB' });
    expect((await admin.patch(path(id), { wait_days: 3 })).body).toMatchObject({
      ...{ subject: 'S', subject_b: 'SB', body_html_b: 'BB', wait_days: 3 },
    });
    const { status, body } = await admin.patch(path(id), { subject: 'T', body_html: 'C', subject_b: null, body_html_b: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, subject: 'T', body_html: 'C', subject_b: null, body_html_b: null, wait_days: 3 });
    expect(await steps()).toEqual([body]);
    expect(await audits()).toEqual(['step.create', 'step.update', 'step.update']);
  });

  it('what GET gave can be sent back: kind and order are not changed by it', async () => {
    const id = await add();
    const [step] = await steps();
    expect((await admin.patch(path(id), { ...step, kind: 'call', step_order: 7 })).body).toEqual(step);
    expect(await audits()).toEqual(['step.create']);
  });

  it.each([
    [{ body_html: null }, '^body_html'],
    [{ body_html: '' }, '^body_html'],
    [{ subject: null }, '^subject'],
    [{ subject: 7 }, '^subject'],
    [{ subject_b: 'a\nb' }, '^subject_b'],
    [{ body_html_b: '' }, '^body_html_b'],
    [{ wait_days: null }, '^wait_days'],
    [{ wait_days: true }, '^wait_days'],
    [{ delay: 1 }, 'delay'],
  ])('%j gives 400 that names the field', async (body, message) => {
    expect(await admin.patch(path(await add()), body)).toMatchObject(invalid(message));
  });

  it('a changed wait counts at once for those who wait, from their last mail', async () => {
    await add();
    const second = await add({ wait_days: 2 });
    const lastMail = new Date(clock.now().getTime() - DAY);
    const mailed = { current_step: 2, last_sent_step: 1, last_sent_at: lastMail, due_at: new Date(lastMail.getTime() + 2 * DAY) };
    const [waiting, held, fresh] = [
      await insertEnrolment(app, campaign, mailed),
      await insertEnrolment(app, campaign, { ...mailed, due_at: null }),
      await insertEnrolment(app, campaign, { due_at: clock.now() }),
    ];
    await admin.patch(path(second), { wait_days: 5 });
    const dueOf = async (enrolment: { id: number }) => (await rowOf<{ due_at: Date | null }>(app, 'enrolments', enrolment.id)).due_at;
    expect(await dueOf(waiting)).toEqual(new Date('2026-07-11T12:00:00Z'));
    expect([await dueOf(held), await dueOf(fresh)]).toEqual([null, clock.now()]);
  });

  it('mails that were held because of the content are tried again at once', async () => {
    const step = await add({ body_html: '{{nope}}' });
    const later = new Date(clock.now().getTime() + DAY);
    const { id } = await insertEnrolment(app, campaign, { failures: 2, due_at: later, hold_reason: 'unknown placeholder {{nope}}' });
    await admin.patch(path(step), { wait_days: 1 });
    expect(await rowOf(app, 'enrolments', id)).toMatchObject({ failures: 2, due_at: later });
    await admin.patch(path(step), { body_html: '{{name}}' });
    expect(await rowOf(app, 'enrolments', id)).toMatchObject({ failures: 0, due_at: clock.now(), hold_reason: null });
  });
});

describe('DELETE /campaigns/{id}/steps/{step_id}', () => {
  const stand = (enrolment: { id: number }) => rowOf(app, 'enrolments', enrolment.id);

  it('answers 204, renumbers the rest 1..n, and is gone', async () => {
    const ids = [await add(), await add(), await add(), await add()];
    expect(await admin.delete(path(ids[1]))).toMatchObject({ status: 204, body: undefined });
    expect(await steps()).toMatchObject([
      { id: ids[0], step_order: 1 },
      { id: ids[2], step_order: 2 },
      { id: ids[3], step_order: 3 },
    ]);
    for (const answer of [await admin.delete(path(ids[1])), await admin.patch(path(ids[1]), { subject: 'x' })])
      expect(answer).toMatchObject(notFound);
    expect(await add()).toBeGreaterThan(ids[3] ?? 0);
    expect((await steps()).map((step) => step.step_order)).toEqual([1, 2, 3, 4]);
  });

  it('step 1 gives its subjects to the step that becomes the first, where that has none', async () => {
    const subjects = { subject: 'A question', subject_b: 'An offer' };
    const [first] = [await add(subjects), await add({ subject: '' }), await add({ subject: 'Own' })];
    await admin.delete(path(first));
    const [second] = await steps();
    expect(second).toMatchObject({ step_order: 1, ...subjects });
    await admin.delete(path(second?.id));
    expect(await steps()).toMatchObject([{ step_order: 1, subject: 'Own', subject_b: null }]);
  });

  it('contacts on it go on with the step that followed, after that one’s wait; the others stay with theirs', async () => {
    const ids = [await add(), await add({ wait_days: 1 }), await add({ wait_days: 7 }), await add({ wait_days: 2 })];
    const lastMail = new Date(clock.now().getTime() - DAY);
    const mailed = { last_sent_step: 1, last_sent_at: lastMail, due_at: clock.now() };
    const on1 = await insertEnrolment(app, campaign, { due_at: clock.now() });
    const on2 = await insertEnrolment(app, campaign, { ...mailed, current_step: 2, failures: 2 });
    const on3 = await insertEnrolment(app, campaign, { ...mailed, last_sent_step: 2, current_step: 3 });
    const on4 = await insertEnrolment(app, campaign, { ...mailed, last_sent_step: 3, current_step: 4 });
    await admin.delete(path(ids[1]));
    expect(await stand(on1)).toMatchObject({ status: 'active', current_step: 1, last_sent_step: 0, due_at: clock.now() });
    const due = new Date(lastMail.getTime() + 7 * DAY);
    expect(await stand(on2)).toMatchObject({ status: 'active', current_step: 2, last_sent_step: 1, due_at: due, failures: 0 });
    expect(await stand(on3)).toMatchObject({ status: 'active', current_step: 2, last_sent_step: 1 });
    expect(await stand(on4)).toMatchObject({ status: 'active', current_step: 3, last_sent_step: 2, due_at: clock.now() });
    expect((await rowOf<{ next_batch_at: Date }>(app, 'accounts', (await accountOf()) ?? 0)).next_batch_at).toEqual(clock.now());
  });

  const accountOf = async () => (await rowOf<{ account_id: number }>(app, 'campaigns', campaign)).account_id;

  it('when the last step goes, those who waited for it complete, and with them the campaign', async () => {
    const [, second] = [await add(), await add({ wait_days: 3 })];
    const on2 = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, due_at: clock.now() });
    const done = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 2, status: 'completed' });
    await admin.delete(path(second));
    expect(await stand(on2)).toMatchObject({ status: 'completed', current_step: 1, due_at: null });
    expect(await stand(done)).toMatchObject({ status: 'completed', current_step: 1, last_sent_step: 1 });
    expect((await admin.get(`/campaigns/${campaign}`)).body.status).toBe('completed');
  });

  it('the only step of a draft can be replaced: nobody completes a sequence of nothing', async () => {
    const only = await add();
    const enrolment = await insertEnrolment(app, campaign, { due_at: clock.now() });
    await admin.delete(path(only));
    await add();
    expect(await stand(enrolment)).toMatchObject({ status: 'active', current_step: 1, due_at: clock.now() });
  });

  it('step 1 can’t go while step 2 is a call: 409, nothing changes', async () => {
    const [first, call] = [await add(), await add({ kind: 'call' })];
    expect(await admin.delete(path(first))).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await steps()).toHaveLength(2);
    expect((await admin.delete(path(call))).status).toBe(204);
    expect((await admin.delete(path(first))).status).toBe(204);
  });

  it('a call that waits for a person is cancelled, and its contact goes on', async () => {
    const ids = [await add(), await add({ kind: 'call' }), await add({ wait_days: 4 })];
    const lastMail = new Date(clock.now().getTime() - DAY);
    const enrolment = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, last_sent_at: lastMail });
    const task = await insertRow(app, 'call_tasks', {
      ...{ workspace_id: 1, campaign_id: campaign, enrolment_id: enrolment.id, step_id: ids[1], due_at: clock.now() },
      created_at: clock.now(),
    });
    await admin.delete(path(ids[1]));
    expect(await rowOf(app, 'call_tasks', task)).toMatchObject({ status: 'cancelled', closed_at: clock.now() });
    expect(await stand(enrolment)).toMatchObject({ current_step: 2, due_at: new Date(lastMail.getTime() + 4 * DAY) });
  });
});

describe('who may', () => {
  it('403 for view_only writes; 404 before 400 for what the key can’t see', async () => {
    const step = await add();
    const hidden = await insertCampaign(app, { is_shared_to_all: false });
    const [hiddenStep] = await steps(hidden);
    expect((await reader.get(path())).status).toBe(200);
    for (const answer of [await reader.post(path(), {}), await reader.patch(path(step), {}), await reader.delete(path(step))])
      expect(answer.status).toBe(403);
    for (const answer of [
      await manager.get(path(undefined, hidden)),
      await manager.post(path(undefined, hidden), {}),
      await manager.patch(path(hiddenStep?.id, hidden), { wait_days: 'x' }),
      await manager.delete(path(hiddenStep?.id, hidden)),
      await admin.patch(path(hiddenStep?.id), { wait_days: 'x' }),
      await admin.delete(path(hiddenStep?.id)),
      await admin.patch(path(999_999), { subject: 'x' }),
    ])
      expect(answer).toMatchObject(notFound);
    expect((await steps(hidden)).length).toBe(1);
  });
});

describe('in a rotation group', () => {
  it('changes are copied to the other campaigns by step_order, each audited; their own contacts move too', async () => {
    const [one, two, other] = [
      await insertCampaign(app, {}, []),
      await insertCampaign(app, { is_shared_to_all: false, is_archived: true }, []),
      await insertCampaign(app, {}, []),
    ];
    await joinInGroup(app, [one, two]);
    const bodies = async (id: number) => (await steps(id)).map((step) => ({ ...step, id: 0 }));
    const ids = [await add({ subject: 'S' }, one), await add({}, one), await add({ wait_days: 2 }, one)];
    expect(await bodies(two)).toEqual(await bodies(one));
    const [, second] = await steps(two);
    expect((await manager.patch(path(ids[0], one), { subject: 'T', wait_days: 1 })).status).toBe(200);
    expect((await admin.patch(path(second?.id, two), { body_html: 'from the other side' })).status).toBe(200);
    expect(await steps(one)).toMatchObject([{ subject: 'T', wait_days: 1 }, { body_html: 'from the other side' }, {}]);
    expect(await bodies(two)).toEqual(await bodies(one));

    const enrolment = await insertEnrolment(app, two, { current_step: 3, last_sent_step: 2 });
    await admin.delete(path(ids[1], one));
    expect(await bodies(two)).toEqual(await bodies(one));
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({ current_step: 2, last_sent_step: 1 });
    expect(await steps(other)).toEqual([]);
    const [audited] = await app.db.query<{ count: number }>(
      sql`select count(*)::int as count from audit_log where resource_type = 'campaign' and resource_id = ${two} and action like 'step.%'`,
    );
    expect(audited?.count).toBe(3 + 2 + 1);
  });

  it('changes from several sides at once end up the same everywhere', async () => {
    const members = await Promise.all([1, 2, 3].map(() => insertCampaign(app, {}, [])));
    await joinInGroup(app, members);
    await Promise.all([...Array(9)].map((_, turn) => add({ body_html: `<p>${turn}</p>` }, members[turn % 3])));
    const bodies = await Promise.all(
      members.map(async (id) =>
        ((await admin.get(path(undefined, id))).body.data as { body_html: string }[]).map((step) => step.body_html),
      ),
    );
    expect(bodies[0]).toHaveLength(9);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });
});

describe('counters', () => {
  it('agree with the rows after steps came and went under enrolled contacts', async () => {
    const ids = [await add(), await add(), await add()];
    await admin.post(`/campaigns/${campaign}/contacts`, { contact_ids: [await insertContact(app), await insertContact(app)] });
    for (const id of ids.toReversed()) expect((await admin.delete(path(id))).status).toBe(204);
    expect(await numberFaults(app)).toEqual([]);
  });
});
