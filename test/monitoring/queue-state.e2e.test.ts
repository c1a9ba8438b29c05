import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi, openStream } from '../../src/dashboard/connection.ts';
import type { OverviewChanges } from '../../src/live/changes.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { cliOf, succeed } from '../support/cli.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { member, workspace } from '../support/people.ts';
import { parseExposition } from '../support/prometheus.ts';
import { insertAccount, insertCampaign, insertContact, insertEnrolment, insertMail, insertRow } from '../support/rows.ts';
import { waitUntil } from '../support/wait-until.ts';

let installation: TestInstallation;
let daemon: Daemon;

beforeAll(async () => {
  installation = await testInstallation({ metricsPort: 0 });
  await world();
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
});
afterAll(() => daemon?.stop());

const seconds = (number: number) => new Date(installation.clock.now().getTime() + number * 1_000);
const ago = (number: number) => seconds(-number);

/** Something in each queue of workspace 1 that waits, and beside it everything that looks as if it did. */
async function world(): Promise<void> {
  const { active, deleted } = await accounts();
  const { running, paused, archived, trashed } = await campaigns(active);
  await emails(running, { states: ['claimed', 'transmitting', 'uncertain', 'unknown', 'retry'] });
  await emails(running, { states: ['accepted', 'failed'], closed_at: ago(60) });
  await emails(running, { states: ['transmitting'], account_id: deleted });
  await emails(paused, { states: ['unknown'] });
  await emails(archived, { states: ['unknown'] });
  await emails(trashed, { states: ['transmitting', 'unknown'] });
  await calls(running, paused, trashed);
  await dueEnrolments(running, paused, trashed);
  await deliveries();
}

async function accounts(): Promise<{ active: number; deleted: number }> {
  const { app } = installation;
  await app.db.pool.query('update accounts set next_batch_at = null, next_poll_at = null');
  const wasActive = { imap: '{}', last_batch_at: ago(600) };
  const isLate = { ...wasActive, next_batch_at: ago(9_000), next_poll_at: ago(9_000) };
  const active = await insertAccount(app, { ...wasActive, next_batch_at: ago(90), next_poll_at: ago(40) });
  // Never read: due, and not late.
  await insertAccount(app, { ...wasActive, next_batch_at: seconds(60) });
  // No replies can arrive: nothing was sent from it, and no campaign names it.
  await insertAccount(app, { imap: '{}', next_poll_at: ago(18 * 60) });
  await insertAccount(app, { next_poll_at: ago(9_000) });
  await insertAccount(app, { ...isLate, imap: null, status: 'paused', pause_reason: 'manual' });
  await insertAccount(app, { ...isLate, status: 'disconnected', pause_reason: 'provider_error' });
  // The mailbox of an archived account is read for 180 days after its last email.
  const lastBatch = { last_batch_at: ago(181 * 86_400) };
  await insertAccount(app, { ...isLate, ...lastBatch, is_archived: true });
  await insertAccount(app, { ...isLate, ...lastBatch, is_archived: true, status: 'paused', pause_reason: 'manual' });
  const deleted = await insertAccount(app, { ...isLate, deleted_at: ago(60) });
  return { active, deleted };
}

async function campaigns(accountId: number) {
  const { app } = installation;
  const make = (values: object) => insertCampaign(app, { account_id: accountId, ...values });
  return {
    running: await make({}),
    paused: await make({ status: 'paused' }),
    archived: await make({ status: 'paused', is_archived: true }),
    trashed: await make({ deleted_at: ago(60) }),
  };
}

async function emails(campaign: number, { states, ...values }: { states: string[]; account_id?: number; closed_at?: Date }): Promise<void> {
  const { app } = installation;
  for (const state of states) await insertMail(app, await insertEnrolment(app, campaign), { state, ...values });
}

async function calls(running: number, paused: number, trashed: number): Promise<void> {
  const { app } = installation;
  const gone = await insertContact(app, { deleted_at: ago(60) });
  await insertCall(running, 'pending');
  await insertCall(running, 'done');
  await insertCall(running, 'pending', { contact_id: gone });
  await insertCall(paused, 'pending');
  await insertCall(trashed, 'pending');
}

async function insertCall(campaign: number, status: string, enrolment: Record<string, unknown> = {}): Promise<void> {
  const { app } = installation;
  const { rows } = await app.db.pool.query('select id from steps where campaign_id = $1', [campaign]);
  const { id } = await insertEnrolment(app, campaign, enrolment);
  await insertRow(app, 'call_tasks', {
    ...{ workspace_id: 1, campaign_id: campaign, enrolment_id: id, step_id: rows[0].id, status },
    ...{ due_at: ago(60), created_at: ago(60) },
  });
}

async function dueEnrolments(running: number, paused: number, trashed: number): Promise<void> {
  const { app } = installation;
  for (let index = 0; index < 3; index++) await insertEnrolment(app, running, { due_at: ago(5) });
  await insertEnrolment(app, running, { due_at: ago(5), held_until: seconds(60) });
  await insertEnrolment(app, running, { due_at: seconds(60) });
  await insertEnrolment(app, paused, { due_at: ago(5) });
  await insertEnrolment(app, trashed, { due_at: ago(5) });
}

async function deliveries(): Promise<void> {
  const on = await insertWebhook({});
  await insertDelivery(on, { next_attempt_at: ago(25) });
  await insertDelivery(on, { next_attempt_at: seconds(25) });
  await insertDelivery(on, { status: 'delivered', next_attempt_at: null });
  for (const values of [{ is_enabled: false }, { deleted_at: ago(60) }, { rests_until: seconds(60) }])
    await insertDelivery(await insertWebhook(values), { next_attempt_at: ago(9_000) });
}

const insertWebhook = (values: object): Promise<number> =>
  insertRow(installation.app, 'webhooks', {
    ...{ workspace_id: 1, name: 'Hook', url: 'https://example.com', secret: 'sealed', created_at: ago(60), updated_at: ago(60) },
    ...values,
  });

let made = 0;
const insertDelivery = (webhook: number, values: object): Promise<number> =>
  insertRow(installation.app, 'webhook_deliveries', {
    ...{ webhook_id: webhook, message_id: `message ${++made}`, type: 'event.sent', status: 'pending', created_at: ago(60), data: '{}' },
    ...values,
  });

const status = () => succeed(cliOf(installation), 'status');
const metrics = async () => parseExposition(await (await fetch(daemon.metricsUrl ?? '')).text());

/** What a dashboard shows that is opened with a key. */
async function dashboard(key: string): Promise<OverviewChanges> {
  let first: OverviewChanges | null = null;
  const stream = openStream(createApi({ url: daemon.url ?? '', key }), {
    onPush: (push) => {
      first ??= push.changes;
    },
    onLost: () => undefined,
  });
  await waitUntil('the first push', () => first !== null);
  stream.close();
  if (first === null) throw new Error('the stream brought nothing');
  return first;
}

describe('the state of the queues', () => {
  it('is the same in status, /metrics and the dashboard of an admin', async () => {
    const [told, { value }, shown] = [await status(), await metrics(), await dashboard(installation.adminKey)];
    const accountsIn = (name: string) => value('outreach_accounts', { status: name }) ?? 0;
    expect(shown.queue).toEqual({
      in_flight: 3,
      unknown: 4,
      batches_due: 1,
      batch_lag_seconds: 90,
      polls_due: 2,
      poll_lag_seconds: 40,
    });
    expect({
      in_flight: value('outreach_mails_in_flight'),
      unknown: value('outreach_mails_unknown'),
      batches_due: value('outreach_batches_due'),
      batch_lag_seconds: value('outreach_batch_lag_seconds'),
      polls_due: value('outreach_polls_due'),
      poll_lag_seconds: value('outreach_poll_lag_seconds'),
    }).toEqual(shown.queue);
    expect(told).toMatchObject({ emails_in_flight: shown.queue.in_flight, emails_uncertain: shown.queue.unknown });

    // The calls of a paused campaign wait for it.
    expect(shown.calls.rows).toHaveLength(1);
    expect(value('outreach_calls_due')).toBe(1);
    expect(told.calls_due).toBe(1);

    const paused = shown.accounts.rows.filter((account) => account.status !== 'active').length;
    expect(told).toMatchObject({ accounts: shown.accounts.rows.length, accounts_paused: paused });
    expect(accountsIn('active') + accountsIn('paused') + accountsIn('disconnected')).toBe(shown.accounts.rows.length);
    expect(accountsIn('paused') + accountsIn('disconnected')).toBe(paused);
    expect(told.campaigns_active).toBe(shown.campaigns.rows.filter((campaign) => campaign.status === 'active').length);
  });

  it('counts what metrics alone tell: emails that are due and not held, deliveries of webhooks that are on and do not rest', async () => {
    const { value } = await metrics();
    expect(value('outreach_mails_due')).toBe(3);
    expect(value('outreach_webhook_deliveries_due')).toBe(1);
    expect(value('outreach_webhook_lag_seconds')).toBe(25);
  });

  it('is for each caller that of what they may see; for the operator that of all workspaces', async () => {
    const { app } = installation;
    const others = await workspace(app);
    const outsider = await member(app, 'admin', { workspaceId: others });
    const account = await insertAccount(app, { workspace_id: others, next_batch_at: ago(200) });
    const campaign = await insertCampaign(app, { workspace_id: others, account_id: account });
    const contact = await insertContact(app, { workspace_id: others });
    await insertMail(app, await insertEnrolment(app, campaign, { workspace_id: others, contact_id: contact }), {
      workspace_id: others,
      state: 'unknown',
    });
    const hidden = { is_shared_to_all: false };
    const privately = await insertCampaign(app, {
      ...hidden,
      account_id: await insertAccount(app, { ...hidden, next_batch_at: ago(300) }),
    });
    await insertMail(app, await insertEnrolment(app, privately), { state: 'claimed' });
    const reader = await member(app, 'view_only');

    const quiet = { in_flight: 0, unknown: 0, batches_due: 0, batch_lag_seconds: 0, polls_due: 0, poll_lag_seconds: 0 };
    expect((await dashboard(outsider.key)).queue).toEqual({ ...quiet, unknown: 1, batches_due: 1, batch_lag_seconds: 200 });
    expect((await dashboard(reader.key)).queue).toMatchObject({ in_flight: 3, unknown: 4, batches_due: 1, batch_lag_seconds: 90 });
    expect((await dashboard(installation.adminKey)).queue).toMatchObject({
      in_flight: 4,
      unknown: 4,
      batches_due: 2,
      batch_lag_seconds: 300,
    });
    expect(await status()).toMatchObject({ emails_in_flight: 4, emails_uncertain: 5 });
    const { value } = await metrics();
    expect(value('outreach_mails_unknown')).toBe(5);
    expect(value('outreach_batches_due')).toBe(3);
  });
});
