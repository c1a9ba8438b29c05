import { type Caller, isAdmin, isHidden, requireVisible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { contactZone, enrolmentIs, getRotation, hasDayLimits, isWaiting, sendsFrom } from '../../campaigns/index.ts';
import { seededRandom } from '../../core/random.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { formatTimestamp } from '../../db/timestamp.ts';
import type { CampaignState } from '../plan/campaign-state.ts';
import type { DayLeft } from '../plan/day-left.ts';
import { simulateBatches, simulateTogether } from '../plan/simulate.ts';
import type { ForecastEmail } from '../plan/simulated-batch.ts';
import type { SimulatedEnrolment } from '../plan/simulated-queue.ts';
import { loadSendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';
import { companyDomain, loadContinuing, simulatedStep, withCompany } from './continuing.ts';
import { unreadMailboxes } from './unread-mailboxes.ts';

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

/** Limit of enrolments of one account in a forecast: people ask for its first emails. */
const MAX_ENROLMENTS = 50_000;
const HORIZON_DAYS = 90;
/** Fixed seed for batch sizes, so that the same state gives the same forecast. */
const SEED = 1;

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
  const simulations: Awaited<ReturnType<typeof simulate>>[] = [];
  for (const accountId of accountIds) simulations.push(await simulate(app, accountId, limits));
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

/** Ids of enrolments whose contacts are hidden from the caller. Index: contacts_hidden. */
async function hiddenFrom(db: Queryable, caller: Caller, campaignIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (isAdmin(caller)) return new Set();
  const rows = await db.query<{ id: number }>(sql`
    select e.id from contacts k join enrolments e on e.contact_id = k.id and e.campaign_id = any(${campaignIds}::int[])
    where ${isHidden(caller, 'contacts', 'k')}`);
  return new Set(rows.map((row) => row.id));
}

/** Ids of the accounts that send to the active enrolments of campaigns. Index: enrolments_active. */
async function accountsOf(db: Queryable, campaignIds: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct ${sendsFrom('e', 'c')} as id from enrolments e join campaigns c on c.id = e.campaign_id
    where c.id = any(${campaignIds}::int[]) and ${enrolmentIs('e', 'active')} order by 1`);
  return rows.map((row) => row.id);
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

/** @param limits what is left of those that several accounts share, by their sequence; filled in */
async function simulate(app: App, accountId: number, limits: Map<number, DayLeft>): Promise<ReturnType<typeof simulateBatches>> {
  const now = app.clock.now();
  const account = await loadSendingAccount(app, accountId);
  if (account === null) return nothing();
  const states = await loadCampaignStates(app.db, accountId, now, 1);
  const ids = states.map((campaign) => campaign.id);
  const enrolments = [...(await loadEnrolments(app.db, accountId, ids)), ...(await loadContinuing(app.db, accountId, ids))];
  // Assumes that the next attempt to poll an unread mailbox succeeds.
  const readFrom = new Map((await unreadMailboxes(app.db, accountId, ids)).map((row) => [row.campaign_id, row.next_poll_at ?? now]));
  const campaigns = states.map((campaign) => ({
    ...campaign,
    ...sharedLimits(campaign, limits),
    isMailboxRead: (at: Date) => at >= (readFrom.get(campaign.id) ?? now),
  }));
  return simulateBatches(now, account, campaigns, enrolments, seededRandom(SEED), HORIZON_DAYS);
}

function sharedLimits({ sequence, left }: CampaignState, limits: Map<number, DayLeft>): Pick<CampaignState, 'left'> {
  if (sequence === undefined || left === undefined) return {};
  const shared = limits.get(sequence) ?? left;
  limits.set(sequence, shared);
  return { left: shared };
}

async function loadEnrolments(db: Queryable, accountId: number, campaignIds: readonly number[]): Promise<SimulatedEnrolment[]> {
  const rows = await db.query<SimulatedEnrolment>(sql`
    select e.id, e.campaign_id as "campaignId", e.variant, ${contactZone('e', 'c')} as timezone, e.due_at as "dueAt", e.held_until as "heldUntil",
      ${companyDomain('e', 'c')} as company, e.last_sent_step > 0 as "isFollowUp",
      (select coalesce(jsonb_agg(${simulatedStep('s')} order by s.step_order), '[]')
        from steps s where s.campaign_id = e.campaign_id and s.deleted_at is null and s.step_order >= e.current_step) as steps
    from enrolments e join campaigns c on c.id = e.campaign_id
    where e.campaign_id = any(${campaignIds}::int[]) and ${isWaiting('e')} and ${sendsFrom('e', 'c')} = ${accountId}
    order by e.due_at, e.id limit ${MAX_ENROLMENTS}`);
  return rows.map(withCompany);
}

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
