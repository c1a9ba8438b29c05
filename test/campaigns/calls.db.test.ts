import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { listCalls } from '../../src/campaigns/calls/calls.ts';
import { countPendingCalls } from '../../src/campaigns/calls/calls-to-make.ts';
import { endEnrolments } from '../../src/campaigns/enrolments/transitions.ts';
import { closeCall } from '../../src/campaigns/lifecycle/close-call.ts';
import { openDueCalls } from '../../src/campaigns/lifecycle/open-due-calls.ts';
import { createCustomField } from '../../src/contacts/index.ts';
import { DAY, type ManualClock } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { workspace } from '../support/people.ts';
import { insertCampaign, insertContact, insertEnrolment, rowOf } from '../support/rows.ts';

let app: App;
let clock: ManualClock;
let caller: Caller;

beforeAll(async () => {
  ({ app, clock, caller } = await testInstallation());
  await createCustomField(app, caller, { name: 'Phone', field_type: 'phone' });
});
beforeEach(async () => {
  clock.set(TEST_START);
  await app.db.query(sql`update call_tasks set status = 'cancelled' where status = 'pending'`);
});

const NOTES = 'Ring {{first_name}} <{{phone|no number}}>';

/** Enrols a contact whose call is due: step 2 of the campaign's steps. */
async function dueCall(next: Record<string, unknown>[] = [{ wait_days: 2 }], contact: Record<string, unknown> = {}) {
  const campaign = await insertCampaign(app, {}, [{}, { kind: 'call', body_html: NOTES }, ...next]);
  const contactId = await insertContact(app, { name: "Ada O'Neil", company: 'Engines', ...contact });
  const enrolment = await insertEnrolment(app, campaign, {
    contact_id: contactId,
    current_step: 2,
    last_sent_step: 1,
    due_at: clock.now(),
  });
  await openDueCalls(app);
  const call = (await listCalls(app.db, caller, { all: false }, { limit: 200, offset: 0 })).data.find(
    (row) => row.campaign_id === campaign,
  );
  return { campaign, contactId, enrolment, id: call?.id ?? 0, call };
}
const close = (id: number, outcome: 'done' | 'skipped' = 'done', note: string | null = null) =>
  closeCall(app, caller, id, { outcome, note });

describe('the Calls page', () => {
  it('shows due calls with the contact and the notes of the step, merged as plain text', async () => {
    const { call, campaign, contactId, id } = await dueCall([], { custom_fields: { phone: '+49 30 1234' } });
    const { name, email } = { ...(await rowOf<{ name: string; email: string }>(app, 'contacts', contactId)) };
    const campaignName = (await rowOf<{ name: string }>(app, 'campaigns', campaign)).name;
    expect(call).toEqual({
      ...{ id, campaign_id: campaign, campaign_name: campaignName, contact_id: contactId, name, email, company: 'Engines' },
      ...{
        step_order: 2,
        notes: 'Ring Ada <+49 30 1234>',
        phone: '+49 30 1234',
        note: null,
        status: 'pending',
        due_at: '2026-07-07 12:00:00',
      },
    });
  });

  it('leaves out the calls of a paused campaign until it goes on, except when all are asked for', async () => {
    const { campaign, id } = await dueCall();
    const ids = async (all: boolean) => (await listCalls(app.db, caller, { all }, { limit: 200, offset: 0 })).data.map((row) => row.id);
    await app.db.query(sql`update campaigns set status = 'paused' where id = ${campaign}`);
    expect(await ids(false)).toEqual([]);
    expect(await countPendingCalls(app.db, 'installation')).toBe(0);
    expect(await ids(true)).toContain(id);
    await app.db.query(sql`update campaigns set status = 'active' where id = ${campaign}`);
    expect(await ids(false)).toEqual([id]);
    expect(await countPendingCalls(app.db, 'installation')).toBe(1);
  });

  it('longest due first; closed ones only when asked for; nothing of another workspace', async () => {
    const first = await dueCall();
    clock.advance(DAY);
    const second = await dueCall();
    const ids = async (all: boolean) => (await listCalls(app.db, caller, { all }, { limit: 200, offset: 0 })).data.map((row) => row.id);
    expect(await ids(false)).toEqual([first.id, second.id]);
    await close(first.id);
    expect(await ids(false)).toEqual([second.id]);
    expect(await ids(true)).toContain(first.id);
    const stranger = operator(await workspace(app));
    expect((await listCalls(app.db, stranger, { all: true }, { limit: 200, offset: 0 })).data).toEqual([]);
    await expect(closeCall(app, stranger, second.id, { outcome: 'done', note: null })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('closing a call', () => {
  it.each([
    'done',
    'skipped',
  ] as const)('%s: the enrolment goes on with its next step after that one’s wait, and the account is woken', async (outcome) => {
    const { id, enrolment, campaign } = await dueCall();
    clock.advance(DAY);
    await close(id, outcome, 'spoke to her');
    expect(await rowOf(app, 'call_tasks', id)).toMatchObject({ status: outcome, note: 'spoke to her', closed_at: clock.now() });
    const due = new Date(clock.now().getTime() + 2 * DAY);
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({
      status: 'active',
      current_step: 3,
      due_at: due,
      last_sent_step: 1,
    });
    const { account_id } = await rowOf<{ account_id: number }>(app, 'campaigns', campaign);
    expect(await rowOf(app, 'accounts', account_id)).toMatchObject({ next_batch_at: clock.now() });
    const [row] = await app.db.query(sql`select action, actor from audit_log where resource_type = 'call' and resource_id = ${id}`);
    expect(row).toEqual({ action: `call.${outcome}`, actor: 'cli' });
  });

  it('the last step completes the enrolment, and the campaign', async () => {
    const { id, enrolment, campaign } = await dueCall([]);
    await close(id);
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({ status: 'completed', due_at: null });
    expect(await rowOf(app, 'campaigns', campaign)).toMatchObject({ status: 'completed' });
  });

  it('twice, or after the contact replied, is a conflict', async () => {
    const { id } = await dueCall();
    await close(id);
    await expect(close(id, 'skipped')).rejects.toMatchObject({ code: 'conflict', message: `call ${id} is already done` });
    const replied = await dueCall();
    await app.db.tx((tx) => endEnrolments(tx, app, caller, [replied.enrolment.id], { status: 'replied' }));
    await expect(close(replied.id)).rejects.toMatchObject({ code: 'conflict', message: `call ${replied.id} is already cancelled` });
  });

  it('by two people at once moves the contact one step', async () => {
    const { id, enrolment } = await dueCall([{}, {}, {}]);
    const results = await Promise.allSettled([close(id), close(id, 'skipped'), close(id)]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await rowOf(app, 'enrolments', enrolment.id)).toMatchObject({ current_step: 3 });
  });

  it('a note of more than 2,000 characters is refused', async () => {
    const { id } = await dueCall();
    await expect(close(id, 'done', 'x'.repeat(2_001))).rejects.toMatchObject({ code: 'invalid_request' });
    await close(id, 'done', 'x'.repeat(2_000));
  });
});
