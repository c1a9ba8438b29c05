import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeCampaign, deleteStep, listSteps, resumeEnrolment, stopEnrolment } from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { explainCampaign, forecastCampaign, recoverOutbox, resolveOutbox } from '../../src/sending/index.ts';
import { unsubscribe, wasFetched } from '../../src/tracking/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { enrolmentsOf, type Sender, type SenderOptions, startMailServers, startSender } from '../support/sender.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await testInstallation();
  ({ sink } = await startMailServers());
});
beforeEach(() => {
  // A Wednesday; emails of earlier tests are too old for recovery.
  installation.clock.set('2026-07-08T12:00:00Z');
  sink.messages.length = 0;
});

const recover = () => recoverOutbox(installation.app, { wasFetched, wasAnswered });
const THREE_STEPS = [{}, { wait_days: 1, subject: '' }, { wait_days: 1, subject: '' }];

/** Creates a campaign whose first email the server accepted without replying. */
async function withUnknown(options: SenderOptions & { whenUnknown?: 'wait' | 'continue' } = {}): Promise<Sender & { email: number }> {
  const { app, caller } = installation;
  const sender = await startSender(installation, sink, { steps: THREE_STEPS, ...options });
  if (options.whenUnknown !== undefined) await changeCampaign(app, caller, sender.campaignId, { when_unknown: options.whenUnknown });
  sink.misbehave('data', 'drop', { times: 1 });
  await sender.batch();
  await recover();
  const [row] = await app.db.query<{ id: number }>(sql`select id from outbox where campaign_id = ${sender.campaignId}`);
  return { ...sender, email: Number(row?.id) };
}

async function standing({ campaignId }: Sender) {
  const { app } = installation;
  const [enrolment] = await enrolmentsOf(installation, campaignId);
  const emails = await app.db.query<{ step_order: number; state: string }>(
    sql`select step_order, state from outbox where campaign_id = ${campaignId} order by step_order`,
  );
  const events = await app.db.query<{ type: string; step_order: number }>(
    sql`select type, step_order from events where campaign_id = ${campaignId} and type <> 'enrolled' order by step_order, id`,
  );
  const { status, current_step: step, hold_reason } = enrolment ?? {};
  return {
    ...{ status, step, hold_reason },
    emails: emails.map((one) => `${one.step_order} ${one.state}`),
    events: events.map((one) => `${one.type} ${one.step_order}`),
  };
}

describe('C1.8: a campaign that continues after an email whose delivery is unknown', () => {
  it('waits a quarter of an hour for the Sent folder, then goes on as if it was sent, without an event', async () => {
    const { clock } = installation;
    const sender = await withUnknown({ whenUnknown: 'continue' });
    clock.advance(14 * MINUTE);
    await recover();
    expect(await standing(sender)).toMatchObject({ step: 1, hold_reason: 'delivery unknown' });
    clock.advance(MINUTE);
    await recover();
    expect(await standing(sender)).toEqual({ status: 'active', step: 2, hold_reason: null, emails: ['1 unknown'], events: [] });
    clock.set('2026-07-09T12:00:00Z');
    expect((await sender.batch()).sent).toBe(1);
    expect(await standing(sender)).toMatchObject({ step: 3, emails: ['1 unknown', '2 accepted'], events: ['sent 2'] });
  });

  it('is not moved back by a later proof, which only records the email', async () => {
    const { app, clock } = installation;
    const sender = await withUnknown({ whenUnknown: 'continue' });
    clock.advance(15 * MINUTE);
    await recover();
    clock.set('2026-07-09T12:00:00Z');
    await sender.batch();
    await app.db.query(sql`
      insert into tracking_hits (workspace_id, outbox_id, kind, machine, at) values (1, ${sender.email}, 'opened', 'proxy', ${clock.now()})`);
    expect(await recover()).toMatchObject({ confirmed: 1 });
    const proved = await standing(sender);
    expect(proved).toMatchObject({ status: 'active', step: 3, emails: ['1 accepted', '2 accepted'], events: ['sent 1', 'sent 2'] });
    clock.set('2026-07-10T12:00:00Z');
    expect((await sender.batch()).sent).toBe(1);
    expect(await standing(sender)).toMatchObject({ status: 'completed', events: ['sent 1', 'sent 2', 'sent 3'] });
  });

  it('completes after its last step, and a person can still say that the email was sent, not have it sent again', async () => {
    const { app, caller, clock } = installation;
    const sender = await withUnknown({ whenUnknown: 'continue', steps: [{}] });
    clock.advance(15 * MINUTE);
    await recover();
    expect(await standing(sender)).toEqual({ status: 'completed', step: 1, hold_reason: null, emails: ['1 unknown'], events: [] });
    await expect(resolveOutbox(app, caller, sender.email, 'resend')).rejects.toThrow(
      /has gone on without it; it can only be resolved as sent/,
    );
    await resolveOutbox(app, caller, sender.email, 'sent');
    expect(await standing(sender)).toMatchObject({ status: 'completed', emails: ['1 accepted'], events: ['sent 1'] });
  });

  it('resumes at the step after that email', async () => {
    const { app, caller, clock } = installation;
    const sender = await withUnknown({ whenUnknown: 'continue' });
    clock.advance(15 * MINUTE);
    await recover();
    const [enrolment] = await enrolmentsOf(installation, sender.campaignId);
    await stopEnrolment(app, caller, enrolment?.id ?? 0);
    await resumeEnrolment(app, caller, enrolment?.id ?? 0);
    expect(await standing(sender)).toMatchObject({ status: 'active', step: 2 });
    clock.set('2026-07-09T12:00:00Z');
    expect((await sender.batch()).sent).toBe(1);
  });

  it('is forecast and explained', async () => {
    const { app, caller, clock } = installation;
    const sender = await withUnknown({ whenUnknown: 'continue' });
    const expected = [
      { step_order: 2, send_at: '2026-07-09 12:00:00' },
      { step_order: 3, send_at: '2026-07-10 12:00:00' },
    ];
    expect(await forecastCampaign(app, caller, sender.campaignId, 10)).toMatchObject(expected);
    const told = await explainCampaign(app, caller, sender.campaignId);
    expect([...told.reasons, ...told.notes]).toContain(
      'The delivery of 1 email is unknown, and its sequence continues anyway; see: outreach outbox list --uncertain',
    );
    clock.advance(15 * MINUTE);
    await recover();
    expect(await forecastCampaign(app, caller, sender.campaignId, 10)).toMatchObject(expected);
  });
});

describe('C1.8: a campaign that waits, as by default', () => {
  it('waits for a proof or a person, and goes on once the option is changed', async () => {
    const { app, caller, clock } = installation;
    const sender = await withUnknown();
    clock.advance(DAY);
    await recover();
    expect(await standing(sender)).toMatchObject({ step: 1, hold_reason: 'delivery unknown', emails: ['1 unknown'] });
    expect(await forecastCampaign(app, caller, sender.campaignId, 10)).toEqual([]);
    await changeCampaign(app, caller, sender.campaignId, { when_unknown: 'continue' });
    await recover();
    expect(await standing(sender)).toMatchObject({ step: 2, hold_reason: null });
    expect((await sender.batch()).sent).toBe(1);
  });

  it('is settled by the use of the unsubscribe link of that email', async () => {
    const sender = await withUnknown();
    expect(await unsubscribe(installation.app, sender.email, null)).toBe(true);
    expect(await standing(sender)).toMatchObject({ status: 'stopped', emails: ['1 accepted'], events: ['sent 1', 'unsubscribed 1'] });
  });

  it('keeps the reason of the hold when the step of that email is deleted', async () => {
    const { app, caller } = installation;
    const sender = await withUnknown();
    const [first] = await listSteps(app.db, caller, sender.campaignId);
    await deleteStep(app, caller, sender.campaignId, first?.id ?? 0);
    expect(await standing(sender)).toMatchObject({ status: 'active', step: 1, hold_reason: 'delivery unknown' });
    await resolveOutbox(app, caller, sender.email, 'sent');
    expect(await standing(sender)).toMatchObject({ status: 'active', step: 1, hold_reason: null, emails: ['1 accepted'] });
  });
});
