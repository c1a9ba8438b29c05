import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import {
  attachmentsOf,
  getCampaign,
  getCampaignOptions,
  hoursText,
  listSteps,
  type Subsequence,
  sendingAccounts,
  stepTimings,
} from '../campaigns/index.ts';
import { getList } from '../contacts/index.ts';
import { causeText } from '../core/cause-text.ts';
import { unlessNotFound } from '../core/errors.ts';
import { parseTimestamp } from '../core/timestamp-text.ts';
import type { DeclaredCampaign } from './schema.ts';
import { dayNames, declaredStep, startText } from './values.ts';

/**
 * Reads a campaign as a file declares it, with every key except `contacts`. Applying the result changes nothing. For a member of a rotation
 * group, reads the whole group. Throws `not_found`.
 */
export async function readDeclared(app: App, caller: Caller, campaignId: number): Promise<DeclaredCampaign> {
  const { db } = app;
  const { firstId, accounts } = await sendingAccounts(db, caller, campaignId);
  const named = await getCampaign(db, caller, campaignId);
  const { name } = firstId === campaignId ? named : await nameOf(app, caller, firstId, named.name);
  const { cc, bcc, track_opens, track_clicks, list_id, more_hours, subsequences, ...options } = await getCampaignOptions(
    db,
    caller,
    campaignId,
  );
  const steps = await listSteps(db, caller, campaignId);
  const timings = await stepTimings(db, campaignId);
  const files = await attachmentsOf(db, campaignId);
  return {
    name,
    accounts: accounts.map(({ email }) => email),
    timezone: named.timezone,
    days: dayNames(named.sending_days),
    hours: hoursOfDays(named, more_hours),
    ...(named.status === 'draft' ? { starts_at: plannedStart(named) } : {}),
    ab_test: named.ab_test_enabled ? { split: named.ab_split_percent, hours_b: hoursOfB(named) } : null,
    reply_to: named.reply_to,
    cc,
    bcc,
    list: list_id === null ? null : await listName(app, caller, list_id),
    subsequences: await declaredSubsequences(app, caller, subsequences),
    track: { opens: track_opens, clicks: track_clicks },
    options,
    steps: steps.map((step) => declaredStep({ ...step, ...(timings.get(step.id) ?? DEFAULT_TIMING) }, files.get(step.id))),
  };
}

/** The first campaign of a group may be hidden from the caller. */
const nameOf = (app: App, caller: Caller, id: number, otherwise: string): Promise<{ name: string }> =>
  unlessNotFound(getCampaign(app.db, caller, id), { name: otherwise });

/** Leaves out rules whose campaign was deleted or is hidden from the caller: no contact is enrolled there. */
async function declaredSubsequences(app: App, caller: Caller, rules: readonly Subsequence[]) {
  const declared: NonNullable<DeclaredCampaign['subsequences']> = [];
  for (const { campaign_id, wait_days, ...cause } of rules) {
    const { firstId } = await unlessNotFound(sendingAccounts(app.db, caller, campaign_id), { firstId: campaign_id });
    const { name } = await nameOf(app, caller, firstId, '');
    const wait = wait_days === 0 ? {} : { wait_days };
    if (name !== '') declared.push({ on: causeText(cause), ...wait, campaign: name });
  }
  return declared;
}

/** Null for a deleted list, which no contact can join. */
const listName = async (app: App, caller: Caller, id: number): Promise<string | null> =>
  (await unlessNotFound(getList(app.db, caller, id), null))?.name ?? null;

const DEFAULT_TIMING = { wait_hours: 0, business_days: false };

function hoursOfDays(campaign: { sending_hour_start: number; sending_hour_end: number }, more: readonly string[]): string | string[] {
  const first = hoursText({ startHour: campaign.sending_hour_start, endHour: campaign.sending_hour_end });
  return more.length === 0 ? first : [first, ...more];
}

const hoursOfB = (campaign: { sending_hour_start_b: number | null; sending_hour_end_b: number | null }): string | null =>
  campaign.sending_hour_start_b === null || campaign.sending_hour_end_b === null
    ? null
    : hoursText({ startHour: campaign.sending_hour_start_b, endHour: campaign.sending_hour_end_b });

const plannedStart = ({ starts_at, timezone }: { starts_at: string | null; timezone: string }): string | null =>
  starts_at === null ? null : startText(parseTimestamp(starts_at), timezone);
