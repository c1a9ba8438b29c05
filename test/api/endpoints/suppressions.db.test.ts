import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { isSuppressed } from '../../../src/contacts/index.ts';
import type { ManualClock } from '../../../src/core/clock.ts';
import { sql } from '../../../src/db/statement.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { member, workspace } from '../../support/people.ts';
import { insertCampaign, insertEnrolment, rowOf } from '../../support/rows.ts';
import { refusal, servedInstallation } from '../../support/served.ts';

let app: App;
let clock: ManualClock;
let api: ApiClient;

beforeAll(async () => {
  ({ app, clock, api } = await servedInstallation());
});

let made = 0;
const freshEmail = () => `no${made++}@example.org`;
const suppress = (email: string, reason?: string | null, as = api) => as.post('/suppressions', { email, reason });

describe('Suppressions', () => {
  it('POST answers 201 with exactly the fields of a suppression', async () => {
    const { status, body } = await suppress(' No@Example.org ', 'asked by phone');
    expect([status, body]).toEqual([
      201,
      { id: expect.any(Number), email: 'No@Example.org', reason: 'asked by phone', created_at: '2026-07-07 12:00:00' },
    ]);
    expect((await api.get('/suppressions')).body).toEqual({ data: [body], pagination: { total: 1, limit: 50, offset: 0 } });
  });

  it('needs no reason', async () => {
    expect(await api.post('/suppressions', { email: freshEmail() })).toMatchObject({ status: 201, body: { reason: null } });
    expect(await suppress(freshEmail(), null)).toMatchObject({ status: 201, body: { reason: null } });
  });

  it('adding one twice answers 201 again with the existing record and its first reason', async () => {
    const email = freshEmail();
    const first = await suppress(email, 'first');
    clock.advance(60_000);
    expect(await suppress(email.toUpperCase(), 'second')).toMatchObject({ status: 201, body: first.body });
  });

  it('one removed earlier is revived with the new reason', async () => {
    const email = freshEmail();
    const first = await suppress(email, 'first');
    expect(await api.delete('/suppressions', { email: email.toUpperCase() })).toMatchObject({ status: 204, body: undefined });
    expect(await isSuppressed(app.db, app, 1, email)).toBe(false);
    clock.advance(60_000);
    const again = await suppress(email, 'again');
    expect(again).toMatchObject({ status: 201, body: { email, reason: 'again' } });
    expect(again.body.created_at > first.body.created_at).toBe(true);
    expect(await isSuppressed(app.db, app, 1, email.toUpperCase())).toBe(true);
  });

  it('ten at once make one record', async () => {
    const email = freshEmail();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => suppress(email, `reason ${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('DELETE takes the address in the body: 404 when it is not there, 400 without one', async () => {
    const email = freshEmail();
    await suppress(email);
    expect((await api.delete('/suppressions', { email })).status).toBe(204);
    for (const absent of [email, 'never@example.org', 'no address'])
      expect(await api.delete('/suppressions', { email: absent })).toMatchObject(refusal(404, 'not_found'));
    for (const body of [undefined, {}, { email: null }, { email: 7 }, { email, all: true }])
      expect(await api.delete('/suppressions', body)).toMatchObject(refusal(400, 'invalid_request'));
    expect((await api.delete(`/suppressions?email=${email}`)).status).toBe(400);
  });

  it('DELETE says when the address is still not emailed, because of another workspace or an erasure, and not whose', async () => {
    const email = freshEmail();
    const elsewhere = api.as((await member(app, 'manager', { workspaceId: await workspace(app) })).key);
    await suppress(email);
    await suppress(email, 'a reason of theirs', elsewhere);
    const removed = await api.delete('/suppressions', { email: email.toUpperCase() });
    expect(removed).toMatchObject({ status: 204, body: undefined });
    expect(removed.headers.get('still-suppressed')).toBe('true');
    expect(await isSuppressed(app.db, app, 1, email)).toBe(true);
    const last = await elsewhere.delete('/suppressions', { email });
    expect([last.status, last.headers.get('still-suppressed')]).toEqual([204, null]);
  });

  it.each([
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: 'x@example.org', reason: 7 }, 'reason'],
    [{ email: 'x@example.org', reason: 'r'.repeat(501) }, 'reason: at most 500'],
    [{ email: 'x@example.org', because: 'x' }, 'because'],
  ])('bad input %j gives 400 naming %s', async (body, field) => {
    expect(await api.post('/suppressions', body)).toMatchObject(refusal(400, 'invalid_request', field));
  });

  it('GET pages by id with an exact total that leaves removed ones out', async () => {
    const emails = [freshEmail(), freshEmail(), freshEmail()];
    for (const email of emails) await suppress(email);
    await api.delete('/suppressions', { email: emails[1] });
    const { total } = (await api.get('/suppressions')).body.pagination;
    const page = (await api.get(`/suppressions?limit=2&offset=${total - 2}`)).body;
    expect(page.data.map((row: { email: string }) => row.email)).toEqual([emails[0], emails[2]]);
    expect(page.pagination).toEqual({ total, limit: 2, offset: total - 2 });
    for (const query of ['limit=0', 'limit=201', 'offset=-1', 'email=x'])
      expect((await api.get(`/suppressions?${query}`)).status).toBe(400);
  });

  it('another workspace does not see it, though the address is not mailed from there either', async () => {
    const email = freshEmail();
    await suppress(email, 'ours');
    const elsewhere = await workspace(app);
    const other = api.as((await member(app, 'admin', { workspaceId: elsewhere })).key);
    expect((await other.get('/suppressions')).body).toMatchObject({ data: [], pagination: { total: 0 } });
    expect(await other.delete('/suppressions', { email })).toMatchObject(refusal(404, 'not_found'));
    expect(await isSuppressed(app.db, app, elsewhere, email)).toBe(true);
    const narrow: App = { ...app, config: { ...app.config, suppressionScope: 'workspace' } };
    expect([await isSuppressed(app.db, narrow, elsewhere, email), await isSuppressed(app.db, narrow, 1, email)]).toEqual([false, true]);
    expect((await suppress(email, 'theirs', other)).body.reason).toBe('theirs');
  });

  it('view_only reads; every write answers 403', async () => {
    const viewer = api.as((await member(app, 'view_only')).key);
    expect((await viewer.get('/suppressions')).status).toBe(200);
    expect(await viewer.post('/suppressions', {})).toMatchObject(refusal(403, 'forbidden'));
    expect(await viewer.delete('/suppressions', { email: 'x@example.org' })).toMatchObject(refusal(403, 'forbidden'));
  });

  it('stops what is under way to the address; taking it off the list restarts nothing', async () => {
    const enrolment = await insertEnrolment(app, await insertCampaign(app));
    const { email } = await rowOf<{ email: string }>(app, 'contacts', enrolment.contactId);
    await suppress(email);
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({ status: 'stopped', stop_reason: 'suppressed' });
    await api.delete('/suppressions', { email });
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({ status: 'stopped' });
  });

  it('every change is in the history', async () => {
    const email = freshEmail();
    const { id } = (await suppress(email, 'why')).body;
    await suppress(email, 'again');
    await api.delete('/suppressions', { email });
    const rows = await app.db.query(sql`
      select action, user_id from audit_log where resource_type = 'suppression' and resource_id = ${id} order by id`);
    expect(rows).toEqual([
      { action: 'suppression.add', user_id: 1 },
      { action: 'suppression.remove', user_id: 1 },
    ]);
  });
});
