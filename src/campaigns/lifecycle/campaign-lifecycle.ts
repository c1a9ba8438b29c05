import type { Caller } from '../../access/index.ts';
import { isLiveAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { DAY } from '../../core/clock.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type CampaignState, changeCampaignState } from '../campaign/change-state.ts';
import { type CampaignRow, getCampaign } from '../campaign/read-campaign.ts';
import { lockMembers, type Member } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { releaseFromStart } from '../enrolments/due.ts';

const LATEST_START = 3_653 * DAY;

/**
 * Activates a campaign now, or from `startsAt` on; an archived one is unarchived. Without `startsAt` a draft keeps its planned start. In a
 * rotation group, activates all campaigns except those whose account is archived or deleted. Throws `not_found`, and `invalid_request` for
 * a campaign without a step or an enrolled contact, for an account that is archived or deleted, and for a start that is not in the future
 * or more than ten years ahead.
 */
export async function activateCampaign(app: App, caller: Caller, id: number, startsAt?: Date | null): Promise<CampaignRow> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const members = await lockMembers(tx, caller, id);
    checkStart(startsAt ?? null, now);
    const sendable = await sendableOf(tx, id, members);
    for (const member of sendable) await activate(tx, app, caller, member, startsAt === undefined ? plannedStart(member, now) : startsAt);
  });
  await logWarnings(app, caller, id);
  return getCampaign(app.db, caller, id);
}

function checkStart(startsAt: Date | null, now: Date): void {
  if (startsAt !== null && startsAt <= now) throw invalid('starts_at must be in the future');
  if (startsAt !== null && startsAt.getTime() > now.getTime() + LATEST_START) throw invalid('starts_at: at most ten years ahead');
}

/** Returns the planned start of a draft, unless it has passed. */
const plannedStart = ({ status, starts_at }: Member, now: Date): Date | null =>
  status === 'draft' && starts_at != null && starts_at > now ? starts_at : null;

/**
 * Plans the start of a draft and of its rotation group. The planned start applies when the campaign is activated without another one. Null
 * removes it. Throws `not_found`, `conflict` for a campaign that is not a draft, and `invalid_request` for a start that is not in the
 * future or more than ten years ahead, unless it is planned already.
 */
export async function planStart(app: App, caller: Caller, id: number, startsAt: Date | null): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const members = await lockMembers(tx, caller, id);
    if (members.some(({ status }) => status !== 'draft'))
      throw conflict("the campaign is no longer a draft, so its start can't be planned");
    for (const member of members) {
      const planned = member.starts_at ?? null;
      if (planned?.getTime() === startsAt?.getTime()) continue;
      checkStart(startsAt, now);
      await changeCampaignState(tx, app, caller, member, 'plan', { starts_at: startsAt });
      if (planned !== null && planned > now) await releaseFromStart(tx, member.id, planned, now);
    }
  });
}

async function activate(tx: Tx, app: App, caller: Caller, campaign: Member, startsAt: Date | null): Promise<void> {
  const now = app.clock.now();
  const planned = campaign.starts_at;
  const patch = { status: 'active', starts_at: startsAt, paused_by_account: false, is_archived: false } as const;
  if (!(await changeCampaignState(tx, app, caller, campaign, 'activate', patch))) return;
  if (planned != null && planned > now) await releaseFromStart(tx, campaign.id, planned, now);
  await wakeCampaign(tx, campaign.id, now);
}

async function logWarnings(app: App, caller: Caller, id: number): Promise<void> {
  // Loaded here, because no other change of a campaign needs it.
  const { checkCampaign } = await import('../check/check-campaign.ts');
  const warnings = await checkCampaign(app, caller, id);
  if (warnings.length > 0)
    app.log.warn({ campaign: id, warnings: warnings.map(({ message }) => message) }, 'campaign activated with warnings');
}

/**
 * Returns the campaigns that can be activated. Throws `invalid_request` if the named one can't be; the contacts of its group count as its
 * own.
 */
async function sendableOf(tx: Tx, id: number, members: readonly Member[]): Promise<Member[]> {
  const ids = members.map((member) => member.id);
  const [has] = await tx.query<{ step: boolean; contact: boolean; live: number[] }>(sql`
    select exists (select 1 from steps where campaign_id = ${id} and deleted_at is null) as step,
      exists (select 1 from enrolments where campaign_id = any(${ids}::int[])) as contact,
      array(select c.id from campaigns c join accounts a on a.id = c.account_id
        where c.id = any(${ids}::int[]) and ${isLiveAccount('a')}) as live`);
  if (!has?.step) throw invalid('the campaign has no step; add one before you activate it');
  if (!has.contact) throw invalid('the campaign has no enrolled contact; enrol one before you activate it');
  if (!has.live.includes(id)) throw invalid('account_id: the sending account is archived or deleted; give the campaign another one');
  return members.filter((member) => has.live.includes(member.id));
}

/** Pauses a campaign, and its rotation group, before its next email. Pausing a paused one changes nothing. Throws `not_found`. */
export async function pauseCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await changeState(app, caller, id, 'pause', { status: 'paused', paused_by_account: false });
  return getCampaign(app.db, caller, id);
}

/** Pauses a campaign, and its rotation group, and hides it from the default list. Throws `not_found`. */
export async function archiveCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await changeState(app, caller, id, 'archive', { status: 'paused', paused_by_account: false, is_archived: true });
  return getCampaign(app.db, caller, id);
}

/** Puts a campaign, and its rotation group, back on the default list; it stays paused. Throws `not_found`. */
export async function unarchiveCampaign(app: App, caller: Caller, id: number): Promise<CampaignRow> {
  await changeState(app, caller, id, 'unarchive', { is_archived: false });
  return getCampaign(app.db, caller, id);
}

/** Moves a campaign, and its rotation group, to the trash: hidden everywhere, it sends nothing until an admin restores it. Throws `not_found`. */
export async function deleteCampaign(app: App, caller: Caller, id: number): Promise<void> {
  await changeState(app, caller, id, 'delete', { deleted_at: app.clock.now() });
}

/** Changes the state of a campaign and of its rotation group in one transaction, with an audit entry for each campaign that changes. */
async function changeState(app: App, caller: Caller, id: number, verb: string, state: CampaignState): Promise<void> {
  await app.db.tx(async (tx) => {
    for (const member of await lockMembers(tx, caller, id)) await changeCampaignState(tx, app, caller, member, verb, state);
  });
}
