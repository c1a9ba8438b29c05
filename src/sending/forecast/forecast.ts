import { type Caller, isAdmin, requireVisible, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { contactZone, enrolmentIs, isWaiting, sendsFrom } from '../../campaigns/index.ts';
import { seededRandom } from '../../core/random.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { formatTimestamp } from '../../db/timestamp.ts';
import { type ForecastMail, simulateAccount } from '../plan/simulate.ts';
import type { SimulatedEnrolment } from '../plan/simulated-queue.ts';
import { loadSendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';

/** A mail that will go out if nobody replies and nothing is changed. */
export interface ForecastRow {
  contact_id: number;
  email: string;
  step_order: number;
  account_id: number;
  /** When it leaves: UTC, `YYYY-MM-DD HH:MM:SS`. */
  send_at: string;
}

/** Enrolments of one account beyond this are left out of a forecast: its first mails are what people ask for. */
const MAX_ENROLMENTS = 50_000;
const HORIZON_DAYS = 90;
/** The same forecast for the same state: batch sizes are drawn from a fixed seed. */
const SEED = 1;

/**
 * When each mail of a running campaign will go out: the sender's own planner, run ahead over everything that shares the
 * campaign's mailboxes. Mails to contacts that are hidden from the caller take their turn and are not told. Throws
 * `not_found` for a campaign that the caller may not see. Empty while nothing can be sent.
 * @param limit how many mails at most, soonest first
 */
export async function forecastCampaign(app: App, caller: Caller, campaignId: number, limit: number): Promise<ForecastRow[]> {
  await requireVisible(app.db, caller, 'campaigns', campaignId);
  const hidden = await hiddenFrom(app.db, caller, campaignId);
  const isTold = (mail: ForecastMail) => mail.campaignId === campaignId && !hidden.has(mail.enrolmentId);
  const mails: (ForecastMail & { accountId: number })[] = [];
  for (const accountId of await accountsOf(app.db, campaignId)) {
    for (const mail of await forecastAccount(app, accountId, isTold, limit)) mails.push({ ...mail, accountId });
  }
  mails.sort((a, b) => a.at.getTime() - b.at.getTime() || a.enrolmentId - b.enrolmentId);
  return nameContacts(app.db, mails.slice(0, limit));
}

/** Enrolments of contacts that others keep to themselves. Index: contacts_hidden. */
async function hiddenFrom(db: Queryable, caller: Caller, campaignId: number): Promise<ReadonlySet<number>> {
  if (isAdmin(caller)) return new Set();
  const rows = await db.query<{ id: number }>(sql`
    select e.id from contacts k join enrolments e on e.contact_id = k.id and e.campaign_id = ${campaignId}
    where k.workspace_id = ${caller.workspaceId} and not k.is_shared_to_all and not (${visible(caller, 'contacts', 'k')})`);
  return new Set(rows.map((row) => row.id));
}

/** The mailboxes that a campaign's active enrolments are written from. Index: enrolments_active. */
async function accountsOf(db: Queryable, campaignId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select distinct ${sendsFrom('e', 'c')} as id from enrolments e join campaigns c on c.id = e.campaign_id
    where c.id = ${campaignId} and ${enrolmentIs('e', 'active')} order by 1`);
  return rows.map((row) => row.id);
}

async function forecastAccount(
  app: App,
  accountId: number,
  isTold: (mail: ForecastMail) => boolean,
  limit: number,
): Promise<ForecastMail[]> {
  const now = app.clock.now();
  const account = await loadSendingAccount(app, accountId);
  if (account === null) return [];
  const campaigns = await loadCampaignStates(app.db, accountId, now, 1);
  const enrolments = await loadEnrolments(
    app.db,
    accountId,
    campaigns.map((campaign) => campaign.id),
  );
  const mails: ForecastMail[] = [];
  for (const mail of simulateAccount(now, account, campaigns, enrolments, seededRandom(SEED), HORIZON_DAYS)) {
    if (isTold(mail) && mails.push(mail) >= limit) break;
  }
  return mails;
}

async function loadEnrolments(db: Queryable, accountId: number, campaignIds: readonly number[]): Promise<SimulatedEnrolment[]> {
  const rows = await db.query<SimulatedEnrolment>(sql`
    select e.id, e.campaign_id as "campaignId", e.variant, ${contactZone('e', 'c')} as timezone, greatest(e.due_at, e.held_until) as "dueAt", e.last_sent_step > 0 as "isFollowUp",
      (select coalesce(jsonb_agg(jsonb_build_object('order', s.step_order, 'waitDays', s.wait_days, 'kind', s.kind) order by s.step_order), '[]')
        from steps s where s.campaign_id = e.campaign_id and s.deleted_at is null and s.step_order >= e.current_step) as steps
    from enrolments e join campaigns c on c.id = e.campaign_id
    where e.campaign_id = any(${campaignIds}::int[]) and ${isWaiting('e')} and ${sendsFrom('e', 'c')} = ${accountId}
    order by e.due_at, e.id limit ${MAX_ENROLMENTS}`);
  return rows.filter((row) => row.steps.length > 0);
}

async function nameContacts(db: Queryable, mails: readonly (ForecastMail & { accountId: number })[]): Promise<ForecastRow[]> {
  const contacts = await db.query<{ id: number; contact_id: number; email: string }>(sql`
    select e.id, e.contact_id, t.email from enrolments e join contacts t on t.id = e.contact_id
    where e.id = any(${mails.map((mail) => mail.enrolmentId)}::int[])`);
  const byEnrolment = new Map(contacts.map((row) => [row.id, row]));
  return mails.map((mail) => ({
    contact_id: byEnrolment.get(mail.enrolmentId)?.contact_id ?? 0,
    email: byEnrolment.get(mail.enrolmentId)?.email ?? '',
    step_order: mail.stepOrder,
    account_id: mail.accountId,
    send_at: formatTimestamp(mail.at),
  }));
}
