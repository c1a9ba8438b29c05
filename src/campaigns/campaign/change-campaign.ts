import { audit, type Caller, differences, getWorkspace, requireShareManager } from '../../access/index.ts';
import { lockLiveAccounts } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { emailAddress } from '../../core/email-address.ts';
import { invalid } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { createCounters } from '../../events/index.ts';
import { Campaign } from './entities.ts';
import { type CampaignRow, getCampaign, lockCampaign } from './read-campaign.ts';
import { wakeCampaign } from './wake.ts';

export interface CampaignPatch {
  name?: string | undefined;
  account_id?: number | undefined;
  reply_to?: string | null | undefined;
  timezone?: string | undefined;
  sending_days?: number[] | undefined;
  sending_hour_start?: number | undefined;
  sending_hour_end?: number | undefined;
  ab_test_enabled?: boolean | undefined;
  ab_split_percent?: number | undefined;
  sending_hour_start_b?: number | null | undefined;
  sending_hour_end_b?: number | null | undefined;
  is_shared_to_all?: boolean | undefined;
  use_contact_timezone?: boolean | undefined;
  auto_reopen?: boolean | undefined;
  track_opens?: boolean | undefined;
  track_clicks?: boolean | undefined;
  stop_company?: boolean | undefined;
}

/**
 * Creates a draft campaign; fields left out get their defaults. Throws `invalid_request` unless the account is live and
 * visible to the caller, and for an impossible schedule.
 */
export async function createCampaign(
  app: App,
  caller: Caller,
  input: CampaignPatch & { name: string; account_id: number },
): Promise<CampaignRow> {
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    await requireLiveAccount(tx, caller, input.account_id);
    const { timezone } = await getWorkspace(tx, caller);
    const campaign = tx.em.create(Campaign, {
      workspace_id: caller.workspaceId,
      name: input.name,
      account_id: input.account_id,
      timezone: timezone ?? 'UTC',
      ...given(input),
      created_by: caller.userId,
      created_at: now,
      updated_at: now,
    });
    await tx.em.flush();
    checkSchedule(campaign);
    await createCounters(tx, [campaign.id]);
    await audit(tx, caller, now, { action: 'campaign.create', resourceType: 'campaign', resourceId: campaign.id, changes: { ...input } });
    return campaign.id;
  });
  return getCampaign(app.db, caller, id);
}

/**
 * Changes the given fields. When the account changes, contacts who were already emailed keep their account and thread.
 * Throws `not_found`, and `invalid_request` as `createCampaign` does.
 */
export async function changeCampaign(app: App, caller: Caller, id: number, patch: CampaignPatch): Promise<CampaignRow> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, id);
    if (patch.is_shared_to_all !== undefined && patch.is_shared_to_all !== campaign.is_shared_to_all)
      await requireShareManager(tx, caller, 'campaigns', id);
    const changed = given(patch);
    const changes = differences(campaign, changed);
    if (changes.account_id !== undefined && patch.account_id !== undefined) await requireLiveAccount(tx, caller, patch.account_id);
    Object.assign(campaign, changed);
    checkSchedule(campaign);
    if (Object.keys(changes).length === 0) return;
    // Resuming the new account must not undo a pause that the old one caused.
    if (changes.account_id !== undefined) campaign.paused_by_account = false;
    campaign.updated_at = now;
    await wakeCampaign(tx, id, now);
    await audit(tx, caller, now, { action: 'campaign.update', resourceType: 'campaign', resourceId: id, changes });
  });
  return getCampaign(app.db, caller, id);
}

/** The given fields as they are stored. */
function given(patch: CampaignPatch) {
  const fields = {
    ...patch,
    ...(typeof patch.reply_to === 'string' ? { reply_to: emailAddress(patch.reply_to, 'reply_to') } : {}),
    ...(patch.sending_days === undefined ? {} : { sending_days: [...new Set(patch.sending_days)].sort() }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function checkSchedule(campaign: Campaign): void {
  if (campaign.sending_hour_start === campaign.sending_hour_end)
    throw invalid('sending_hour_end: must differ from sending_hour_start; use 0 and 24 for the whole day');
  const [start, end] = [campaign.sending_hour_start_b, campaign.sending_hour_end_b];
  if ((start == null) !== (end == null)) throw invalid('sending_hour_start_b and sending_hour_end_b: give both or neither');
  if (start != null && start === end) throw invalid('sending_hour_end_b: must differ from sending_hour_start_b');
}

/** Throws `invalid_request` unless the account is live, paused or not, and visible to the caller. */
async function requireLiveAccount(tx: Tx, caller: Caller, id: number): Promise<void> {
  const live = await lockLiveAccounts(tx, caller, [id]);
  if (live.length === 0) throw invalid('account_id: no live sending account has this id');
}
