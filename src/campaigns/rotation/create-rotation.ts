import { audit, type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { raw, sql, type Tx } from '../../db/database.ts';
import { type Campaign, RotationGroup } from '../campaign/entities.ts';
import { lockCampaign } from '../campaign/read-campaign.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { distributeUnsent } from '../enrolments/distribute.ts';
import { getRotation, type Rotation } from './read-rotations.ts';

/**
 * Spreads a campaign over several accounts: copies it, with its settings, steps and shares, once for each further account, and
 * distributes the contacts who have been sent nothing yet over all of them. Contacts who were emailed keep their account.
 * Throws `not_found`, `invalid_request` for an account that is not live or when no further account is named, and `conflict`
 * for a campaign that is archived or already in a group.
 */
export async function createRotation(app: App, caller: Caller, campaignId: number, accountIds: readonly number[]): Promise<Rotation> {
  const now = app.clock.now();
  const groupId = await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, campaignId);
    if (campaign.rotation_group_id != null) throw conflict(`the campaign is already in rotation group ${campaign.rotation_group_id}`);
    if (campaign.is_archived) throw conflict('the campaign is archived; unarchive it first');
    const others = await otherAccounts(tx, caller, campaign, accountIds);
    const group = tx.em.create(RotationGroup, { workspace_id: caller.workspaceId, created_by: caller.userId, created_at: now });
    await tx.em.flush();
    Object.assign(campaign, { rotation_group_id: group.id, updated_at: now });
    const copies = await copyCampaign(tx, campaign, others, now);
    const moved = await distributeUnsent(tx, campaign.id, copies);
    for (const id of [campaignId, ...copies]) await wakeCampaign(tx, id, now);
    await audit(tx, caller, now, {
      action: 'rotation.create',
      resourceType: 'rotation',
      resourceId: group.id,
      changes: { campaign_id: campaignId, account_ids: others, campaign_ids: copies, moved_contacts: moved },
    });
    for (const id of copies)
      await audit(tx, caller, now, {
        action: 'campaign.create',
        resourceType: 'campaign',
        resourceId: id,
        changes: { copied_from: campaignId, rotation_group_id: group.id },
      });
    return group.id;
  });
  return getRotation(app.db, caller, groupId);
}

/** The requested accounts without the campaign's own. Throws `invalid_request`. */
async function otherAccounts(tx: Tx, caller: Caller, campaign: Campaign, accountIds: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(accountIds)].filter((id) => id !== campaign.account_id);
  if (wanted.length === 0) throw invalid("accounts: name at least one account other than the campaign's own");
  const live = await tx.query<{ id: number }>(sql`
    select a.id from accounts a where a.id = any(${wanted}::int[]) and not a.is_archived and ${visible(caller, 'accounts', 'a')}
    order by a.id for key share`);
  const missing = wanted.find((id) => !live.some((account) => account.id === id));
  if (missing !== undefined) throw invalid(`accounts: no live sending account has the id ${missing}`);
  return live.map((account) => account.id);
}

/** Columns copied to each campaign of the group; name, account, status and times are its own. */
const SHARED = [
  ...['workspace_id', 'reply_to', 'timezone', 'sending_days', 'sending_hour_start', 'sending_hour_end', 'starts_at'],
  ...['ab_test_enabled', 'ab_split_percent', 'sending_hour_start_b', 'sending_hour_end_b'],
  ...[
    'auto_reopen',
    'use_contact_timezone',
    'track_opens',
    'track_clicks',
    'stop_company',
    'rotation_group_id',
    'is_shared_to_all',
    'created_by',
  ],
];

/** Copies the campaign for each account. Copies of an active campaign are active, or will be once their account resumes. */
async function copyCampaign(tx: Tx, campaign: Campaign, accountIds: readonly number[], now: Date): Promise<number[]> {
  const isRunning = campaign.status === 'active' || campaign.paused_by_account;
  const copies = await tx.query<{ id: number }>(sql`
    insert into campaigns (${raw(SHARED.join(', '))}, name, account_id, status, paused_by_account, created_at, updated_at)
    select ${raw(SHARED.map((column) => `c.${column}`).join(', '))}, left(c.name || ' (' || a.email || ')', 255), a.id,
      case when not ${isRunning} then c.status when a.status = 'active' then 'active' else 'paused' end,
      ${isRunning} and a.status <> 'active', ${now}::timestamptz, ${now}::timestamptz
    from campaigns c join accounts a on a.id = any(${accountIds}::int[]) where c.id = ${campaign.id} order by a.id returning id`);
  const ids = copies.map((copy) => copy.id);
  await tx.query(sql`insert into campaign_stats (campaign_id) select unnest(${ids}::int[])`);
  await tx.query(sql`
    insert into steps (campaign_id, step_order, kind, subject, body_html, subject_b, body_html_b, wait_days, created_at, updated_at)
    select copy.id, s.step_order, s.kind, s.subject, s.body_html, s.subject_b, s.body_html_b, s.wait_days, ${now}::timestamptz, ${now}::timestamptz
    from steps s cross join unnest(${ids}::int[]) as copy (id) where s.campaign_id = ${campaign.id} and s.deleted_at is null
    order by copy.id, s.step_order`);
  await tx.query(sql`
    insert into shares (workspace_id, resource_type, resource_id, user_id, granted_by, granted_at)
    select h.workspace_id, h.resource_type, copy.id, h.user_id, h.granted_by, h.granted_at
    from shares h cross join unnest(${ids}::int[]) as copy (id)
    where h.resource_type = 'campaigns' and h.resource_id = ${campaign.id}`);
  return ids;
}
