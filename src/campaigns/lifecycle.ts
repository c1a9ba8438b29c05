import { audit, type Caller } from '../access/index.ts';
import { wakeAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { DAY } from '../clock.ts';
import { sql, type Tx } from '../db.ts';
import { invalid } from '../errors.ts';
import { type CampaignRow, getCampaign, lockCampaign } from './campaign.ts';
import type { Campaign } from './entities.ts';

const LATEST_START = 3_653 * DAY;

/**
 * Starts or goes on sending, now or at `startsAt`. Throws `invalid_request` without a step, without an enrolled contact,
 * and for a start that is not in the future or more than ten years away; nothing changes then.
 */
export async function activateCampaign(app: App, caller: Caller, id: number, startsAt: Date | null): Promise<CampaignRow> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, id);
    if (startsAt !== null && startsAt <= now) throw invalid('starts_at must be in the future');
    if (startsAt !== null && startsAt.getTime() > now.getTime() + LATEST_START) throw invalid('starts_at: at most ten years ahead');
    await requireSendable(tx, id);
    await setStatus(tx, app, caller, campaign, 'active', { starts_at: startsAt, paused_by_account: false });
    await wakeAccount(tx, campaign.account_id, now);
  });
  return getCampaign(app.db, caller, id);
}

async function requireSendable(tx: Tx, id: number): Promise<void> {
  const [has] = await tx.query<{ step: boolean; contact: boolean }>(sql`
    select exists (select 1 from steps where campaign_id = ${id} and deleted_at is null) as step,
      exists (select 1 from enrolments where campaign_id = ${id}) as contact`);
  if (!has?.step) throw invalid('the campaign has no step; add one before you activate it');
  if (!has.contact) throw invalid('the campaign has no enrolled contact; enrol one before you activate it');
}

/** Stops sending before the next mail. Pausing twice changes nothing. Throws `not_found`. */
export async function pauseCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, id);
    await setStatus(tx, app, caller, campaign, 'paused', { paused_by_account: false });
  });
  return getCampaign(app.db, caller, id);
}

/** Hides a campaign from the default list and pauses it. Throws `not_found`. */
export async function archiveCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, id);
    await setStatus(tx, app, caller, campaign, 'paused', { paused_by_account: false, is_archived: true }, 'campaign.archive');
  });
  return getCampaign(app.db, caller, id);
}

/** Lists a campaign again; it stays paused. Throws `not_found`. */
export async function unarchiveCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, id);
    await setStatus(tx, app, caller, campaign, campaign.status, { is_archived: false }, 'campaign.unarchive');
  });
  return getCampaign(app.db, caller, id);
}

/** Deletes a campaign softly: it is gone everywhere and sends nothing; an admin can restore it. Throws `not_found`. */
export async function deleteCampaign(app: App, caller: Caller, id: number): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, id);
    Object.assign(campaign, { deleted_at: now, updated_at: now });
    await tx.em.flush();
    await audit(tx, caller, now, { action: 'campaign.delete', resourceType: 'campaign', resourceId: id, changes: { name: campaign.name } });
  });
}

type Flags = Partial<Pick<Campaign, 'starts_at' | 'paused_by_account' | 'is_archived'>>;

/** One change of a campaign's state with its audit row; none when everything is so already. */
async function setStatus(
  tx: Tx,
  app: App,
  caller: Caller,
  campaign: Campaign,
  status: Campaign['status'],
  flags: Flags,
  action?: string,
): Promise<void> {
  const now = app.clock.now();
  const before = {
    status: campaign.status,
    is_archived: campaign.is_archived,
    starts_at: campaign.starts_at ?? null,
    paused_by_account: campaign.paused_by_account,
  };
  const after = { ...before, ...flags, status };
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  Object.assign(campaign, after, { updated_at: now });
  await tx.em.flush();
  await audit(tx, caller, now, {
    action: action ?? (status === 'active' ? 'campaign.activate' : 'campaign.pause'),
    resourceType: 'campaign',
    resourceId: campaign.id,
    changes: { status: [before.status, status], ...(flags.starts_at ? { starts_at: flags.starts_at } : {}) },
  });
}
