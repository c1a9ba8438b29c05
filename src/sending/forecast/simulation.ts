import { type Caller, isAdmin, isHidden } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { contactZone, enrolmentIs, isWaiting, sendsFrom } from '../../campaigns/index.ts';
import { seededRandom } from '../../core/random.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { CampaignState } from '../plan/campaign-state.ts';
import type { DayLeft } from '../plan/day-left.ts';
import { simulateBatches } from '../plan/simulate.ts';
import type { SimulatedEnrolment } from '../plan/simulated-queue.ts';
import { loadSendingAccount, type SendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';
import { companyDomain, loadContinuing, simulatedStep, withCompanies } from './continuing.ts';
import { unreadMailboxes } from './unread-mailboxes.ts';

/** Maximum number of one account's enrolments in a simulation. Users look at the first emails of a forecast. */
const MAX_ENROLMENTS = 50_000;
/** Fixed seed for batch sizes, so that the same state gives the same forecast. */
const SEED = 1;

/** A simulation of one account, to be run together with others: `simulateTogether` runs `emails`. */
export interface Simulation {
  account: SendingAccount;
  campaigns: readonly CampaignState[];
  /** Enrolments that wait for an email from this account. */
  enrolments: readonly SimulatedEnrolment[];
  emails: ReturnType<typeof simulateBatches>;
}

/** Ids of enrolments whose contacts are hidden from the caller. Index: contacts_hidden. */
export async function hiddenFrom(db: Queryable, caller: Caller, campaignIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (isAdmin(caller)) return new Set();
  const rows = await db.query<{ id: number }>(sql`
    select e.id from contacts k join enrolments e on e.contact_id = k.id and e.campaign_id = any(${campaignIds}::int[])
    where ${isHidden(caller, 'contacts', 'k')}`);
  return new Set(rows.map((row) => row.id));
}

/** Ids of the accounts that send to the active enrolments of campaigns. Index: enrolments_active. */
export async function accountsOf(db: Queryable, campaignIds: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct ${sendsFrom('e', 'c')} as id from enrolments e join campaigns c on c.id = e.campaign_id
    where c.id = any(${campaignIds}::int[]) and ${enrolmentIs('e', 'active')} order by 1`);
  return rows.map((row) => row.id);
}

/**
 * Returns a function that reads what an account will send, or null if it may not send. Each account is read once, and accounts share the
 * rest of common limits.
 * @param days number of days to simulate
 * @param also campaigns to treat as active
 */
export function simulationsFor(app: App, days: number, also: readonly number[] = []): (accountId: number) => Promise<Simulation | null> {
  const limits = new Map<number, DayLeft>();
  const loaded = new Map<number, Promise<Simulation | null>>();
  return (accountId) => {
    const simulation = loaded.get(accountId) ?? loadSimulation(app, accountId, limits, days, also);
    loaded.set(accountId, simulation);
    return simulation;
  };
}

/**
 * Reads what an account will send; null if it may not send.
 * @param limits the rest of the limits that several accounts share, by sequence; this function adds to it
 * @param days number of days to simulate
 * @param also campaigns to treat as active
 */
async function loadSimulation(
  app: App,
  accountId: number,
  limits: Map<number, DayLeft>,
  days: number,
  also: readonly number[],
): Promise<Simulation | null> {
  const now = app.clock.now();
  const account = await loadSendingAccount(app, accountId);
  if (account === null) return null;
  const states = await loadCampaignStates(app.db, accountId, now, 1, also);
  const ids = states.map((campaign) => campaign.id);
  const enrolments = [...(await loadEnrolments(app.db, accountId, ids)), ...(await loadContinuing(app.db, accountId, ids))];
  // Assumes that the next attempt to poll an unread mailbox succeeds.
  const readFrom = new Map((await unreadMailboxes(app.db, accountId, ids)).map((row) => [row.campaign_id, row.next_poll_at ?? now]));
  const campaigns = states.map((campaign) => ({
    ...campaign,
    ...sharedLimits(campaign, limits),
    isMailboxRead: (at: Date) => at >= (readFrom.get(campaign.id) ?? now),
  }));
  const emails = simulateBatches(now, account, campaigns, enrolments, seededRandom(SEED), days);
  return { account, campaigns, enrolments, emails };
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
  return withCompanies(rows);
}
