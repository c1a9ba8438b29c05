import { type Caller, createRecord, getWorkspace, type Patch, requireSharing, saveRecord } from '../../access/index.ts';
import { isHiddenAddress, lockLiveAccounts } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { lockAgainstJoining } from '../../contacts/index.ts';
import { emailAddress } from '../../core/email-address.ts';
import { invalid } from '../../core/errors.ts';
import { regionFault } from '../../core/holiday-regions.ts';
import type { Tx } from '../../db/transaction.ts';
import type { CampaignOptions } from '../options/campaign-options.ts';
import { hoursOf } from '../schedule/hours.ts';
import { checkCopies, copyAddresses } from './copy-addresses.ts';
import type { Campaign } from './entities.ts';
import { memberNames } from './member-names.ts';
import { CAMPAIGN, type CampaignRow, getCampaign } from './read-campaign.ts';
import { lockMembers } from './sequence.ts';
import { checkSubsequences, type GivenSubsequence, subsequencesOf } from './subsequences.ts';
import { wakeCampaign } from './wake.ts';

/** The fields of the record that a caller can set. */
type Changeable =
  | ('name' | 'account_id' | 'reply_to' | 'timezone' | 'sending_days' | 'sending_hour_start' | 'sending_hour_end' | 'is_shared_to_all')
  | ('ab_test_enabled' | 'ab_split_percent' | 'sending_hour_start_b' | 'sending_hour_end_b');

export interface CampaignPatch extends Patch<Pick<CampaignRow, Changeable> & Omit<CampaignOptions, 'subsequences'>> {
  subsequences?: GivenSubsequence[] | undefined;
}

/**
 * Creates a draft campaign. Omitted fields get their defaults. Throws `invalid_request` if the account is not live or not visible to the
 * caller, if the reply address is that of a hidden account, or if the schedule is impossible.
 */
export async function createCampaign(
  app: App,
  caller: Caller,
  input: CampaignPatch & { name: string; account_id: number },
): Promise<CampaignRow> {
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    await requireLiveAccount(tx, caller, input.account_id);
    if (typeof input.reply_to === 'string') await requireVisibleAddress(tx, caller, input.reply_to);
    if (typeof input.list_id === 'number') await requireList(tx, caller, input.list_id);
    const { timezone } = await getWorkspace(tx, caller);
    const data = {
      workspace_id: caller.workspaceId,
      name: input.name,
      account_id: input.account_id,
      timezone: timezone ?? 'UTC',
      ...given(input),
      reply_to_set_by: setterOf(caller),
      list_set_by: setterOf(caller),
      subsequences_set_by: setterOf(caller),
      created_by: caller.userId,
      created_at: now,
      updated_at: now,
    };
    // The database rejects a row with only one of these two hours.
    checkHoursOfB(data);
    const campaign = await createRecord(tx, app, caller, CAMPAIGN, data, { audited: { ...input } });
    checkSchedule(campaign);
    checkCopies(campaign);
    await checkSubsequences(tx, caller, campaign.subsequences, [campaign.id]);
    return campaign.id;
  });
  return getCampaign(app.db, caller, id);
}

/**
 * Changes the given fields. In a rotation group they change in every campaign, except for the account, which changes in this one alone.
 * When the account changes, contacts who were already emailed keep their account and thread. Setting `list_id` waits for transactions that
 * are adding contacts to that list, and applies to all contacts who join it later. Throws `not_found`, and `invalid_request` as
 * `createCampaign` does.
 * @returns the ids of the campaigns of the group
 */
export async function changeSettings(tx: Tx, app: App, caller: Caller, id: number, patch: CampaignPatch): Promise<number[]> {
  // Locks the list before the campaigns: while this waits for a long import into the list, the campaigns must go on sending.
  const hasList = typeof patch.list_id === 'number' && (await lockAgainstJoining(tx, caller, patch.list_id));
  const members = await lockMembers(tx, caller, id);
  const [campaign] = members;
  for (const member of members) requireSharing(caller, 'campaigns', member, patch.is_shared_to_all);
  const values = given(patch);
  if (values.account_id !== undefined && values.account_id !== campaign.account_id) await requireLiveAccount(tx, caller, values.account_id);
  if (typeof values.reply_to === 'string' && values.reply_to !== campaign.reply_to) {
    await requireVisibleAddress(tx, caller, values.reply_to);
    values.reply_to_set_by = setterOf(caller);
  }
  if (values.list_id !== undefined && values.list_id !== campaign.list_id) {
    if (values.list_id !== null && !hasList) throw unknownList(values.list_id);
    values.list_set_by = setterOf(caller);
  }
  if (values.subsequences !== undefined && JSON.stringify(values.subsequences) !== JSON.stringify(campaign.subsequences)) {
    const sequence = members.map((member) => member.id);
    await checkSubsequences(tx, caller, values.subsequences, sequence);
    values.subsequences_set_by = setterOf(caller);
  }
  checkSchedule({ ...campaign, ...values });
  checkCopies({ ...campaign, ...values });
  for (const [member, own] of await patchesOf(tx, members, values)) await saveCampaign(tx, app, caller, member, own);
  return members.map((member) => member.id);
}

/**
 * Returns the new values of each campaign of a rotation group when the first member gets `values`. Only the first gets the account, and
 * each has a name of its own.
 */
async function patchesOf(
  tx: Tx,
  members: readonly [Campaign, ...Campaign[]],
  values: Partial<Campaign>,
): Promise<[Campaign, Partial<Campaign>][]> {
  const [campaign, ...others] = members;
  const { account_id: _, name, ...common } = values;
  const ids = members.map((member) => member.id);
  const names = name === undefined || others.length === 0 ? undefined : await memberNames(tx, ids, campaign.id, name);
  return [[campaign, values], ...others.map((member): [Campaign, Partial<Campaign>] => [member, { ...common, ...nameOf(member, names) }])];
}

const nameOf = ({ id }: Campaign, names: ReadonlyMap<number, string> | undefined): Partial<Campaign> => {
  const name = names?.get(id);
  return name === undefined ? {} : { name };
};

async function saveCampaign(tx: Tx, app: App, caller: Caller, campaign: Campaign, patch: Partial<Campaign>): Promise<void> {
  const changes = await saveRecord(tx, app, caller, CAMPAIGN, campaign, { verb: 'update', patch });
  if (changes === undefined) return;
  // Resuming the new account must not undo a pause that the old one caused.
  if (changes.account_id !== undefined) campaign.paused_by_account = false;
  await wakeCampaign(tx, campaign.id, app.clock.now());
}

/** Returns the given fields in the form in which they are stored. */
function given(patch: CampaignPatch): Partial<Campaign> {
  const fields = {
    ...patch,
    ...(typeof patch.reply_to === 'string' ? { reply_to: emailAddress(patch.reply_to, 'reply_to') } : {}),
    ...(patch.cc === undefined ? {} : { cc: copyAddresses(patch.cc, 'cc') }),
    ...(patch.bcc === undefined ? {} : { bcc: copyAddresses(patch.bcc, 'bcc') }),
    ...(patch.subsequences === undefined ? {} : { subsequences: subsequencesOf(patch.subsequences) }),
    ...(patch.sending_days === undefined ? {} : { sending_days: [...new Set(patch.sending_days)].sort() }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

type Schedule = Pick<Campaign, `sending_hour_${'start' | 'end'}${'' | '_b'}` | 'more_hours' | 'holidays'>;

function checkSchedule(campaign: Schedule): void {
  if (campaign.sending_hour_start === campaign.sending_hour_end)
    throw invalid('sending_hour_end: must differ from sending_hour_start; use 0 and 24 for the whole day');
  checkHoursOfB(campaign);
  for (const hours of campaign.more_hours.map(hoursOf))
    if (hours.startHour === hours.endHour) throw invalid('more_hours: the two hours must differ; use 0-24 for the whole day');
  if (campaign.holidays != null) checkHolidays(campaign.holidays);
}

function checkHoursOfB({ sending_hour_start_b: start, sending_hour_end_b: end }: Partial<Schedule>): void {
  if ((start == null) !== (end == null)) throw invalid('sending_hour_start_b and sending_hour_end_b: give both or neither');
  if (start != null && start === end) throw invalid('sending_hour_end_b: must differ from sending_hour_start_b');
}

function checkHolidays(region: string): void {
  const fault = regionFault(region);
  if (fault !== null) throw invalid(`holidays: ${fault}`);
}

/** Throws `invalid_request` unless the account is live, paused or not, and visible to the caller. */
async function requireLiveAccount(tx: Tx, caller: Caller, id: number): Promise<void> {
  const live = await lockLiveAccounts(tx, caller, [id]);
  if (live.length === 0) throw invalid('account_id: no live sending account has this id');
}

async function requireList(tx: Tx, caller: Caller, id: number): Promise<void> {
  if (!(await lockAgainstJoining(tx, caller, id))) throw unknownList(id);
}

const unknownList = (id: number) => invalid(`list_id: there is no list ${id}`);

/**
 * Returns the id of the user who sets a field; null for the operator, who may see every account and contact, regardless of the campaign's
 * owner.
 */
export const setterOf = (caller: Caller): number | null => (caller.actor === 'user' ? caller.userId : null);

/**
 * Throws `invalid_request` for the address of an account that the caller may not see: a reply address must not open that mailbox to them.
 */
async function requireVisibleAddress(tx: Tx, caller: Caller, address: string): Promise<void> {
  if (await isHiddenAddress(tx, caller, address.trim()))
    throw invalid('reply_to: this is the address of a sending account that is not shared with you; ask its owner or an admin to share it');
}
