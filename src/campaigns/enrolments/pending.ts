import { type AuditEntry, auditAll, type Caller, inNameOf, visibleIds } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockCampaigns } from '../../events/index.ts';
import { sequenceOf } from '../campaign/sequence.ts';
import { enrolUnasked } from './enrol.ts';
import type { SkipReason } from './skipped.ts';

/** Contacts enrolled in one transaction, which holds the lock of the campaign. */
const CHUNK = 2_000;

/** A contact who is to be enrolled because of what they did; the trigger `members_joining` writes it with its cause. */
interface Pending {
  contact_id: number;
  /** They joined this list. */
  list_id: number;
}

/** The campaign that contacts are to enter, under its lock. */
interface Target {
  workspace_id: number;
  list_id: number | null;
  list_set_by: number | null;
  is_archived: boolean;
  is_deleted: boolean;
}

/** Why a contact was not enrolled, as the history of the contact names it. */
type Reason = SkipReason | 'campaign_archived' | 'campaign_deleted' | 'campaign_not_found' | 'list_changed';

/**
 * The campaigns that contacts are to be enrolled into, by id. Goes from one campaign to the next along the index
 * pending_enrolments_campaign, however many contacts each has.
 */
export async function campaignsWithPending(app: App, limit: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    with recursive found as (
      (select p.campaign_id from pending_enrolments p order by p.campaign_id limit 1)
      union all
      select (select p.campaign_id from pending_enrolments p where p.campaign_id > f.campaign_id order by p.campaign_id limit 1)
      from found f where f.campaign_id is not null
    )
    select f.campaign_id as id from found f where f.campaign_id is not null limit ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * Enrols the contacts who are to enter a campaign, as `enrolUnasked` does and in the name of whoever set the rule, until none is left
 * or the daemon drains. Taking contacts and enrolling them are one transaction, so that a crash loses nobody and two daemons enrol
 * nobody twice. Contacts who are skipped have the reason in their history.
 */
export async function enrolPending(app: App, campaignId: number, draining: AbortSignal): Promise<void> {
  for (let taken = CHUNK; taken === CHUNK && !draining.aborted; )
    taken = await app.db.tx(async (tx) => {
      await lockCampaigns(tx, await sequenceOf(tx, campaignId));
      const pending = await takePending(tx, campaignId);
      if (pending.length > 0) await enrolTaken(tx, app, campaignId, pending);
      return pending.length;
    });
}

/** Takes the contacts who wait longest. Index: pending_enrolments_campaign. */
const takePending = (tx: Tx, campaignId: number): Promise<Pending[]> =>
  tx.query<Pending>(sql`
    delete from pending_enrolments p using (
      select id from pending_enrolments where campaign_id = ${campaignId} order by id limit ${CHUNK} for update skip locked
    ) taken where p.id = taken.id returning p.contact_id, p.list_id`);

async function enrolTaken(tx: Tx, app: App, campaignId: number, pending: readonly Pending[]): Promise<void> {
  const [target] = await tx.query<Target>(sql`
    select c.workspace_id, c.list_id, c.list_set_by, c.is_archived, c.deleted_at is not null as is_deleted
    from campaigns c where c.id = ${campaignId}`);
  if (target === undefined) return;
  const { workspace_id, list_id } = target;
  const caller = await inNameOf(tx, workspace_id, target.list_set_by);
  const closed = await closedBecause(tx, caller, campaignId, target);
  const isOpen = (one: Pending) => closed === undefined && one.list_id === list_id;
  const note = (skipped: readonly Skip[]) => auditAll(tx, caller, app.clock.now(), skipped.map(entryOf(campaignId)));
  await note(pending.filter((one) => !isOpen(one)).map((one) => ({ ...one, reason: closed ?? 'list_changed' })));
  const contactIds = [...new Set(pending.filter(isOpen).map(({ contact_id }) => contact_id))];
  if (contactIds.length === 0 || list_id === null) return;
  const { skipped } = await enrolUnasked(tx, app, caller, campaignId, contactIds, { joined_list_id: list_id });
  await note(skipped.map((one) => ({ ...one, list_id })));
}

/** Why nobody may enter the campaign now; undefined if they may. */
async function closedBecause(tx: Tx, caller: Caller, campaignId: number, target: Target): Promise<Reason | undefined> {
  if (target.is_deleted) return 'campaign_deleted';
  if (target.is_archived) return 'campaign_archived';
  return (await visibleIds(tx, caller, 'campaigns', [campaignId])).has(campaignId) ? undefined : 'campaign_not_found';
}

interface Skip extends Pending {
  reason: Reason;
}

/** The entry in the history of a contact who was not enrolled. */
const entryOf =
  (campaignId: number) =>
  ({ contact_id, list_id, reason }: Skip): AuditEntry => ({
    action: 'contact.not_enrolled',
    resourceType: 'contact',
    resourceId: contact_id,
    changes: { campaign_id: campaignId, joined_list_id: list_id, reason },
  });

/** The number of contacts who are about to be enrolled, at most 10,000. Index: pending_enrolments_campaign. */
export async function countPending(db: Queryable, campaignId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from pending_enrolments p where p.campaign_id = any(${await sequenceOf(db, campaignId)}::int[]) limit 10000) first`);
  return row?.count ?? 0;
}
