import { type Caller, requireVisible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { getRotation, hasDayLimits } from '../../campaigns/index.ts';
import { formatTimestamp } from '../../core/timestamp-text.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { simulateTogether } from '../plan/simulate.ts';
import type { ForecastEmail } from '../plan/simulated-batch.ts';
import { accountsOf, hiddenFrom, type Simulation, simulationsFor } from './simulation.ts';

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

/** Returns a function that reads what an account will send within the forecast's horizon. */
export const simulationsOfForecast = (app: App): Simulations => simulationsFor(app, HORIZON_DAYS);

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

/**
 * Returns the time of the next email of an active campaign that the caller may see: UTC, `YYYY-MM-DD HH:MM:SS`; null if no email is
 * planned.
 * @param simulations accounts, possibly read already by the caller; this function consumes their planned emails
 */
export async function nextSendAt(app: App, caller: Caller, campaignId: number, simulations: Simulations): Promise<string | null> {
  const [next] = await plannedEmails(app, caller, [campaignId], 1, simulations);
  return next === undefined ? null : formatTimestamp(next.at);
}

async function forecastAll(app: App, caller: Caller, campaignIds: readonly number[], limit: number): Promise<ForecastRow[]> {
  return withContacts(app.db, await plannedEmails(app, caller, campaignIds, limit, simulationsOfForecast(app)));
}

type Simulations = ReturnType<typeof simulationsFor>;

type PlannedEmail = ForecastEmail & { accountId: number; accountEmail: string };

async function plannedEmails(
  app: App,
  caller: Caller,
  campaignIds: readonly number[],
  limit: number,
  simulationOf: Simulations,
): Promise<PlannedEmail[]> {
  const hidden = await hiddenFrom(app.db, caller, campaignIds);
  const isWanted = (email: ForecastEmail) => campaignIds.includes(email.campaignId) && !hidden.has(email.enrolmentId);
  const emails: PlannedEmail[] = [];
  const wanted = await accountsOf(app.db, campaignIds);
  const read: (Simulation | null)[] = [];
  for (const id of await accountsWith(app.db, wanted, campaignIds)) read.push(await simulationOf(id));
  const simulations = read.filter((simulation) => simulation !== null);
  const counts = simulations.map(() => 0);
  const isEnough = (index: number) => (counts[index] as number) >= limit;
  const isRequested = simulations.map(({ account }) => wanted.includes(account.id));
  // The other accounts are simulated only because they use up shared limits.
  const isOver = (index: number) => (isRequested[index] ? isEnough(index) : isRequested.every((is, each) => !is || isEnough(each)));
  const runs = simulations.map((simulation) => simulation.emails);
  for (const { index, ...email } of simulateTogether(runs, isOver)) {
    if (!isWanted(email)) continue;
    const { account } = simulations[index] as Simulation;
    emails.push({ ...email, accountId: account.id, accountEmail: account.email });
    counts[index] = (counts[index] as number) + 1;
  }
  return emails.sort((a, b) => a.at.getTime() - b.at.getTime() || a.enrolmentId - b.enrolmentId).slice(0, limit);
}

/**
 * Returns the accounts, and all others on which their emails depend because they send for the same rotation group and share its limits: the
 * more of a limit the others use, the more of its batches an account has left for other campaigns. Indexes: campaigns_rotation,
 * campaigns_account.
 */
async function accountsWith(db: Queryable, accountIds: readonly number[], campaignIds: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct m.id from campaigns c
    join campaigns m on m.rotation_group_id = c.rotation_group_id and m.deleted_at is null
    where (c.id = any(${campaignIds}::int[]) or c.account_id = any(${accountIds}::int[])) and c.deleted_at is null and ${hasDayLimits('c')}`);
  if (rows.length === 0) return [...accountIds];
  const members = rows.map(({ id }) => id);
  const all = [...new Set([...accountIds, ...(await accountsOf(db, members))])].sort((one, other) => one - other);
  return all.length === accountIds.length ? all : accountsWith(db, all, members);
}

async function withContacts(db: Queryable, emails: readonly PlannedEmail[]): Promise<ForecastRow[]> {
  const contacts = await db.query<{ id: number; contact_id: number; email: string }>(sql`
    select e.id, e.contact_id, t.email from enrolments e join contacts t on t.id = e.contact_id
    where e.id = any(${emails.map((email) => email.enrolmentId)}::int[])`);
  const byEnrolment = new Map(contacts.map((row) => [row.id, row]));
  return emails.map(({ enrolmentId, stepOrder, accountId, accountEmail, at }) => ({
    contact_id: byEnrolment.get(enrolmentId)?.contact_id ?? 0,
    email: byEnrolment.get(enrolmentId)?.email ?? '',
    step_order: stepOrder,
    account_id: accountId,
    account_email: accountEmail,
    send_at: formatTimestamp(at),
  }));
}
