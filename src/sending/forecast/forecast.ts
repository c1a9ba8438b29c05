import { type Caller, requireVisible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { getRotation, hasDayLimits } from '../../campaigns/index.ts';
import { formatTimestamp } from '../../core/timestamp-text.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { DayLeft } from '../plan/day-left.ts';
import { simulateTogether } from '../plan/simulate.ts';
import type { ForecastEmail } from '../plan/simulated-batch.ts';
import { accountsOf, hiddenFrom, loadSimulation, type Simulation } from './simulation.ts';

/** An email that will be sent if nobody replies and nothing is changed. */
export interface ForecastRow {
  contact_id: number;
  email: string;
  step_order: number;
  account_id: number;
  account_email: string;
  /** Time of sending: UTC, `YYYY-MM-DD HH:MM:SS`. */
  send_at: string;
}

const HORIZON_DAYS = 90;

/**
 * Forecasts the emails of an active campaign, soonest first, by simulating the sender for everything that shares the
 * campaign's accounts. Emails to contacts that are hidden from the caller are simulated but not returned. Empty if nothing
 * can be sent. Throws `not_found` for a campaign that the caller may not see.
 * @param limit maximum number of emails
 */
export async function forecastCampaign(app: App, caller: Caller, campaignId: number, limit: number): Promise<ForecastRow[]> {
  await requireVisible(app.db, caller, 'campaigns', campaignId);
  return forecastAll(app, caller, [campaignId], limit);
}

/** Forecasts the emails of all campaigns of a rotation group, as `forecastCampaign` does those of one. Throws `not_found`. */
export async function forecastRotation(app: App, caller: Caller, groupId: number, limit: number): Promise<ForecastRow[]> {
  const { members } = await getRotation(app.db, caller, groupId);
  return forecastAll(
    app,
    caller,
    members.map(({ campaign_id }) => campaign_id),
    limit,
  );
}

async function forecastAll(app: App, caller: Caller, campaignIds: readonly number[], limit: number): Promise<ForecastRow[]> {
  const hidden = await hiddenFrom(app.db, caller, campaignIds);
  const isWanted = (email: ForecastEmail) => campaignIds.includes(email.campaignId) && !hidden.has(email.enrolmentId);
  const emails: (ForecastEmail & { accountId: number })[] = [];
  const wanted = await accountsOf(app.db, campaignIds);
  const accountIds = await accountsWith(app.db, wanted, campaignIds);
  const limits = new Map<number, DayLeft>();
  const simulations: Simulation['emails'][] = [];
  for (const accountId of accountIds) simulations.push((await loadSimulation(app, accountId, limits, HORIZON_DAYS))?.emails ?? nothing());
  const counts = simulations.map(() => 0);
  const isEnough = (index: number) => (counts[index] as number) >= limit;
  // The others run only for what they take of the limits.
  const isOver = (index: number) =>
    wanted.includes(accountIds[index] as number) ? isEnough(index) : accountIds.every((id, each) => !wanted.includes(id) || isEnough(each));
  for (const { index, ...email } of simulateTogether(simulations, isOver)) {
    if (!isWanted(email)) continue;
    emails.push({ ...email, accountId: accountIds[index] as number });
    counts[index] = (counts[index] as number) + 1;
  }
  emails.sort((a, b) => a.at.getTime() - b.at.getTime() || a.enrolmentId - b.enrolmentId);
  return withContacts(app.db, emails.slice(0, limit));
}

/**
 * Accounts, and those on which their emails depend: they send emails that count against the limits of a rotation group which one of the
 * accounts sends for too. What the others take of a limit is left for this one to send something else. Indexes: campaigns_rotation,
 * campaigns_account.
 */
async function accountsWith(db: Queryable, accountIds: readonly number[], campaignIds: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct m.id from campaigns c
    join campaigns m on m.rotation_group_id = c.rotation_group_id and m.deleted_at is null
    where (c.id = any(${campaignIds}::int[]) or c.account_id = any(${accountIds}::int[])) and c.deleted_at is null and ${hasDayLimits('c')}`);
  const members = rows.map(({ id }) => id);
  const all = [...new Set([...accountIds, ...(await accountsOf(db, members))])].sort((one, other) => one - other);
  return all.length === accountIds.length ? all : accountsWith(db, all, members);
}

function* nothing(): Generator<never> {}

async function withContacts(db: Queryable, emails: readonly (ForecastEmail & { accountId: number })[]): Promise<ForecastRow[]> {
  const contacts = await db.query<{ id: number; contact_id: number; email: string }>(sql`
    select e.id, e.contact_id, t.email from enrolments e join contacts t on t.id = e.contact_id
    where e.id = any(${emails.map((email) => email.enrolmentId)}::int[])`);
  const accounts = await db.query<{ id: number; email: string }>(
    sql`select id, email from accounts where id = any(${[...new Set(emails.map((email) => email.accountId))]}::int[])`,
  );
  const byEnrolment = new Map(contacts.map((row) => [row.id, row]));
  const addresses = new Map(accounts.map((row) => [row.id, row.email]));
  return emails.map(({ enrolmentId, stepOrder, accountId, at }) => ({
    contact_id: byEnrolment.get(enrolmentId)?.contact_id ?? 0,
    email: byEnrolment.get(enrolmentId)?.email ?? '',
    step_order: stepOrder,
    account_id: accountId,
    account_email: addresses.get(accountId) ?? '',
    send_at: formatTimestamp(at),
  }));
}
