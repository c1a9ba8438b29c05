import type { Caller } from '../../access/index.ts';
import { isLiveAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { DAY } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type CampaignState, changeCampaignState } from '../campaign/change-state.ts';
import { type CampaignRow, getCampaign, lockCampaign } from '../campaign/read-campaign.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { checkCampaign } from '../check/check-campaign.ts';
import { releaseFromStart } from '../enrolments/due.ts';

const LATEST_START = 3_653 * DAY;

/**
 * Activates a campaign now, or from `startsAt` on; an archived one is unarchived. Throws `not_found`, and
 * `invalid_request` for a campaign without a step or an enrolled contact, for an account that is archived or deleted, and
 * for a start that is not in the future or more than ten years ahead.
 */
export async function activateCampaign(app: App, caller: Caller, id: number, startsAt: Date | null): Promise<CampaignRow> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, id);
    if (startsAt !== null && startsAt <= now) throw invalid('starts_at must be in the future');
    if (startsAt !== null && startsAt.getTime() > now.getTime() + LATEST_START) throw invalid('starts_at: at most ten years ahead');
    await requireSendable(tx, id);
    const planned = campaign.starts_at;
    const patch = { status: 'active', starts_at: startsAt, paused_by_account: false, is_archived: false } as const;
    if (!(await changeCampaignState(tx, app, caller, campaign, 'activate', patch))) return;
    if (planned != null && planned > now) await releaseFromStart(tx, id, planned, now);
    await wakeCampaign(tx, id, now);
  });
  await logWarnings(app, caller, id);
  return getCampaign(app.db, caller, id);
}

async function logWarnings(app: App, caller: Caller, id: number): Promise<void> {
  const warnings = await checkCampaign(app, caller, id);
  if (warnings.length > 0)
    app.log.warn({ campaign: id, warnings: warnings.map(({ message }) => message) }, 'campaign activated with warnings');
}

async function requireSendable(tx: Tx, id: number): Promise<void> {
  const [has] = await tx.query<{ step: boolean; contact: boolean; account: boolean }>(sql`
    select exists (select 1 from steps where campaign_id = ${id} and deleted_at is null) as step,
      exists (select 1 from enrolments where campaign_id = ${id}) as contact,
      exists (select 1 from campaigns c join accounts a on a.id = c.account_id
        where c.id = ${id} and ${isLiveAccount('a')}) as account`);
  if (!has?.step) throw invalid('the campaign has no step; add one before you activate it');
  if (!has.contact) throw invalid('the campaign has no enrolled contact; enrol one before you activate it');
  if (!has.account) throw invalid('account_id: the sending account is archived or deleted; give the campaign another one');
}

/** Pauses a campaign before its next email. Pausing a paused one changes nothing. Throws `not_found`. */
export async function pauseCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await changeState(app, caller, id, 'pause', { status: 'paused', paused_by_account: false });
  return getCampaign(app.db, caller, id);
}

/** Pauses a campaign and hides it from the default list. Throws `not_found`. */
export async function archiveCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await changeState(app, caller, id, 'archive', { status: 'paused', paused_by_account: false, is_archived: true });
  return getCampaign(app.db, caller, id);
}

/** Puts a campaign back on the default list; it stays paused. Throws `not_found`. */
export async function unarchiveCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await changeState(app, caller, id, 'unarchive', { is_archived: false });
  return getCampaign(app.db, caller, id);
}

/** Moves a campaign to the trash: it is hidden everywhere and sends nothing until an admin restores it. Throws `not_found`. */
export async function deleteCampaign(app: App, caller: Caller, id: number): Promise<void> {
  await changeState(app, caller, id, 'delete', { deleted_at: app.clock.now() });
}

async function changeState(app: App, caller: Caller, id: number, verb: string, state: CampaignState): Promise<void> {
  await app.db.tx(async (tx) => changeCampaignState(tx, app, caller, await lockCampaign(tx, caller, id), verb, state));
}
