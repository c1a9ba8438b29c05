import { isOpen, nextOpening, type SendingWindow } from '../../campaigns/index.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { nextLocalDay } from '../../core/zone.ts';
import { dealFairly } from './fair-share.ts';

/** Windows that do not overlap now may do so after a change to or from daylight saving time. */
const LOOK_AGAIN = 7 * DAY;

/** Limits of an account, and what it has sent so far, as a plan needs them. */
export interface PlannedAccount {
  window: SendingWindow;
  batchMin: number;
  batchMax: number;
  intervalMinutes: number;
  /** Maximum number of emails for the account's local day, after ramp-up. */
  dailyLimit: number;
  /** Emails of the account's current local day, including those in flight. */
  sentToday: number;
  lastBatchAt: Date | null;
  lastCampaignId: number | null;
}

/** Contacts of a campaign that share a sending window. */
export interface Group {
  /** Group B of an A/B test; contacts without a group belong to the others. */
  isB: boolean;
  /** Time zones of its contacts, `''` for contacts without one; null if the campaign's time zone applies to all. */
  zones: readonly string[] | null;
  window: SendingWindow;
  /** Number of due emails, counted up to the size of a batch. */
  due: number;
  /** Time at which the next email becomes due; null if none will. */
  nextDue: Date | null;
}

/** A campaign that sends from the account, with its due emails. */
export interface CampaignState {
  id: number;
  /** Time zone of its calendar days. */
  timezone: string;
  startsAt: Date | null;
  groups: readonly Group[];
}

/** Finds the group of a contact; undefined if no group has a known time zone for it. */
export const groupOf = <Some extends Pick<Group, 'isB' | 'zones'>>(
  groups: readonly Some[],
  contact: { variant: 'A' | 'B' | null; timezone: string | null },
): Some | undefined =>
  groups.find(({ isB, zones }) => isB === (contact.variant === 'B') && (zones === null || zones.includes(contact.timezone ?? '')));

/** Number of emails that one campaign sends in a batch, to contacts of the groups whose windows are open. */
export interface Share {
  campaignId: number;
  count: number;
  groups: readonly Group[];
}

/** Emails of one batch by campaign, and the time of the next batch. */
export interface Plan {
  shares: Share[];
  lastCampaignId: number | null;
  /** Earliest time at which the next batch can have an email to send; null if no email is expected. */
  nextBatchAt: Date | null;
}

/**
 * Plans one batch. It is a pure function: the sender carries the plan out, and the forecast simulates it. No email is sent
 * outside the windows of the account and the group, before a scheduled start, beyond the daily limit, or within the
 * interval after the previous batch.
 */
export function planBatch(now: Date, account: PlannedAccount, campaigns: readonly CampaignState[], random: Random): Plan {
  const earliest = earliestBatch(now, account);
  if (earliest > now) return { shares: [], lastCampaignId: account.lastCampaignId, nextBatchAt: nextBatch(earliest, account, campaigns) };

  const groups = new Map(campaigns.map((campaign) => [campaign.id, openGroups(now, campaign)]));
  const demands = campaigns.map((campaign) => {
    const available = (groups.get(campaign.id) ?? []).reduce((sum, { due }) => sum + due, 0);
    return { campaignId: campaign.id, available };
  });
  const size = Math.min(random.integer(account.batchMin, account.batchMax), account.dailyLimit - account.sentToday);
  const { shares, lastServed } = dealFairly(size, demands, account.lastCampaignId);
  const dealt = [...shares].map(([campaignId, count]) => ({ campaignId, count, groups: groups.get(campaignId) ?? [] }));
  const from = dealt.length > 0 ? new Date(now.getTime() + account.intervalMinutes * MINUTE) : now;
  return { shares: dealt, lastCampaignId: lastServed, nextBatchAt: nextBatch(from, account, campaigns) };
}

/** Earliest time from `now` on at which a batch can have an email to send; null if no email is expected. */
export function nextBatchTime(now: Date, account: PlannedAccount, campaigns: readonly CampaignState[]): Date | null {
  return nextBatch(earliestBatch(now, account), account, campaigns);
}

/** Earliest time at which the account may send, by interval, daily limit and window. If the window never opens, the time by the other two. */
function earliestBatch(now: Date, account: PlannedAccount): Date {
  const afterInterval = account.lastBatchAt === null ? now : new Date(account.lastBatchAt.getTime() + account.intervalMinutes * MINUTE);
  let earliest = afterInterval > now ? afterInterval : now;
  if (account.sentToday >= account.dailyLimit) {
    const tomorrow = nextLocalDay(now, account.window.timezone);
    if (tomorrow > earliest) earliest = tomorrow;
  }
  return nextOpening([account.window], earliest) ?? earliest;
}

function openGroups(now: Date, campaign: CampaignState): readonly Group[] {
  if (campaign.startsAt !== null && campaign.startsAt > now) return [];
  return campaign.groups.filter(({ window }) => isOpen(window, now));
}

/** Earliest time from `from` on at which some campaign has an email due with all windows open; null if none will. */
function nextBatch(from: Date, account: PlannedAccount, campaigns: readonly CampaignState[]): Date | null {
  let first: Date | null = null;
  for (const { startsAt, groups } of campaigns) {
    for (const group of groups) {
      const ready = group.due > 0 ? from : group.nextDue;
      if (ready === null) continue;
      const start = [from, ready, startsAt ?? from].reduce((latest, at) => (at > latest ? at : latest));
      // Finding the next opening is the most expensive part of a plan; a group that is ready later cannot be first.
      if (first !== null && start >= first) continue;
      const at = nextOpening([account.window, group.window], start) ?? new Date(start.getTime() + LOOK_AGAIN);
      if (first === null || at < first) first = at;
    }
  }
  return first;
}
