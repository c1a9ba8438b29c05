import { operator } from '../src/access/index.ts';
import { connectAccount } from '../src/accounts/index.ts';
import type { App } from '../src/app.ts';
import { activateCampaign, addStep, changeCampaign, createCampaign, enrol } from '../src/campaigns/index.ts';
import { ManualClock, MINUTE } from '../src/core/clock.ts';
import { sql } from '../src/db/statement.ts';
import { BatchRunner } from '../src/sending/index.ts';
import { decorateEmail, linkOf } from '../src/tracking/index.ts';
import { bulkLoad } from './bulk-load.ts';
import { type BenchInstallation, benchInstallation } from './installation.ts';
import { seedContacts } from './seed.ts';

/** The size of one measurement. */
export interface SendScale {
  accounts: number;
  /** Emails per batch and account, at most 10,000. */
  batch: number;
  /** Batches per account. */
  batches: number;
}

export const emailsOf = ({ accounts, batch, batches }: SendScale): number => accounts * batch * batches;

export const SUBJECT = 'A question about {{company}}';
export const BODY = `<p>Hello {{name|there}},</p>${'<p>We help companies like {{company}} to answer their mail sooner, and would like to hear how you do it today.</p>'.repeat(6)}<p>Could we talk on Thursday? <a href="https://example.com/book">Choose a time</a>.</p>`;

export interface SendingInstallation extends BenchInstallation {
  clock: ManualClock;
}

const caller = operator(1, 1);

/** Creates an installation on a Tuesday at noon, inside every window. Only `sendTurn` moves its clock. */
export async function sendingInstallation(serverUrl?: string): Promise<SendingInstallation> {
  const clock = new ManualClock('2026-07-07T12:00:00Z');
  return Object.assign(await benchInstallation({ clock, ...(serverUrl === undefined ? {} : { serverUrl }) }), { clock });
}

/** Connects accounts to the sink. Returns their ids. */
export async function connectAccounts(app: App, port: number, { accounts, batch }: SendScale): Promise<number[]> {
  const server = { host: '127.0.0.1', port, secure: false, tls: 'off', user: null } as const;
  const settings = { send_batch_min: batch, send_batch_max: batch, send_batch_interval_minutes: 1, daily_send_limit: 1_000_000 };
  const ids: number[] = [];
  for (let index = 1; index <= accounts; index++) {
    const email = `sender-${index}@example.com`;
    ids.push((await connectAccount(app, caller, { email, provider: 'smtp', smtp: { server, secret: {} }, settings })).id);
  }
  return ids;
}

/** Creates a campaign per account with all contacts enrolled, ready to be activated. */
export async function prepareTurn(app: App, accounts: readonly number[], scale: SendScale, name: string): Promise<number[]> {
  const emails = emailsOf(scale);
  await seedContacts(app.db, emails, name);
  const contacts = await app.db.query<{ id: number }>(sql`select id from contacts where email like ${`${name}-%`} order by id`);
  const campaigns: number[] = [];
  for (const [index, accountId] of accounts.entries()) {
    const id = await draftCampaign(app, accountId, `${name} ${index}`);
    const share = contacts.slice((index * emails) / accounts.length, ((index + 1) * emails) / accounts.length);
    await enrol(app, caller, id, { contact_ids: share.map((contact) => contact.id) });
    campaigns.push(id);
  }
  return campaigns;
}

/** Creates a campaign of one email that may be sent at any time, without contacts. */
export async function draftCampaign(app: App, accountId: number, name: string): Promise<number> {
  const { id } = await createCampaign(app, caller, { name, account_id: accountId });
  await changeCampaign(app, caller, id, { sending_days: [1, 2, 3, 4, 5, 6, 7], sending_hour_start: 0, sending_hour_end: 24 });
  await addStep(app, caller, id, { subject: SUBJECT, body_html: BODY, subject_b: null, body_html_b: null, wait_days: 0, kind: 'email' });
  return id;
}

/** Enrols the first contacts into each of these campaigns, due now, without events or statistics. */
export async function enrolInEach(app: App, campaigns: readonly number[], contacts: number): Promise<void> {
  await bulkLoad(app.db.pool, ['enrolments'], async (client) => {
    await client.query(
      `insert into enrolments (workspace_id, campaign_id, contact_id, due_at, created_at, updated_at)
       select 1, c.id, t.id, $3, $3, $3 from unnest($1::int[]) c (id) cross join (select id from contacts order by id limit $2) t`,
      [campaigns, contacts, app.clock.now()],
    );
  });
}

/** Activates campaigns. Not measured, because the time depends on the campaigns and not on their emails. */
export async function activateAll(app: App, campaigns: readonly number[]): Promise<void> {
  for (const id of campaigns) await activateCampaign(app, caller, id, null);
}

/**
 * Sends every batch of active campaigns like the daemon's rounds, but moves the clock by the batch interval instead of waiting. Throws unless every email
 * is recorded as accepted.
 * @returns the duration in seconds
 */
export async function sendTurn(
  { app, clock }: { app: App; clock: ManualClock },
  accounts: readonly number[],
  campaigns: readonly number[],
  scale: SendScale,
): Promise<number> {
  const batches = new BatchRunner(app, { ensurePolled: async () => [], decorate: decorateEmail, linkOf });
  const { signal } = new AbortController();
  const begin = performance.now();
  for (let batch = 0; batch < scale.batches; batch++) {
    await Promise.all(accounts.map((id) => batches.run(id, signal)));
    clock.advance(MINUTE);
  }
  const seconds = (performance.now() - begin) / 1_000;
  const [sent] = await app.db.query<{ count: number }>(
    sql`select count(*)::int as count from outbox where campaign_id = any(${campaigns}::int[]) and state = 'accepted'`,
  );
  if (sent?.count !== emailsOf(scale)) throw new Error(`${sent?.count} of ${emailsOf(scale)} emails were sent`);
  return seconds;
}
