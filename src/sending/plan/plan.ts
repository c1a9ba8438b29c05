import { isOpen, nextOpening, type SendingWindow } from '../../campaigns/index.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { nextLocalDay } from '../../core/zone.ts';
import { dealFairly } from './fair-share.ts';

/** Windows that don't meet now may do so after a clock change. */
const LOOK_AGAIN = 7 * DAY;

/** The account's side of a plan. */
export interface AccountState {
  window: SendingWindow;
  batchMin: number;
  batchMax: number;
  intervalMinutes: number;
  /** Mails per local day, ramp-up applied. */
  dailyLimit: number;
  /** Mails of the account's present local day, those in flight included. */
  sentToday: number;
  lastBatchAt: Date | null;
  lastCampaignId: number | null;
}

/** The contacts of a campaign that are written to in the same hours. */
export interface Group {
  /** Group B of an A/B test; contacts without a group belong to the others. */
  isB: boolean;
  /** The time zones that its contacts name, `''` for those who name none; null for all, where the campaign's own zone counts. */
  zones: readonly string[] | null;
  window: SendingWindow;
  /** Mails that are due, counted up to what one batch could take. */
  due: number;
  /** When the next mail that is not due yet falls due. */
  nextDue: Date | null;
}

/** A campaign that uses the account, and what of it is due. */
export interface CampaignState {
  id: number;
  /** Zone of its calendar days. */
  timezone: string;
  startsAt: Date | null;
  groups: readonly Group[];
}

/** The group of a campaign that a contact belongs to; undefined when none has hours that can be told. */
export const groupOf = <Some extends Pick<Group, 'isB' | 'zones'>>(
  groups: readonly Some[],
  contact: { variant: 'A' | 'B' | null; timezone: string | null },
): Some | undefined =>
  groups.find(({ isB, zones }) => isB === (contact.variant === 'B') && (zones === null || zones.includes(contact.timezone ?? '')));

/** What one campaign sends in a batch, to contacts of these groups, whose hours it is. */
export interface Share {
  campaignId: number;
  count: number;
  groups: readonly Group[];
}

/** How many mails of which campaign go out in this batch, and when to plan again. */
export interface Plan {
  shares: Share[];
  lastCampaignId: number | null;
  /** When the next batch can have something to do; null when nothing is in sight. */
  nextBatchAt: Date | null;
}

/**
 * Plans one batch. A pure function of its arguments: the sender acts on it, the forecast runs it ahead of time.
 * Nothing leaves outside the account's window and the campaign's (of the group, where B has its own), before a
 * scheduled start, beyond the daily limit, or within an interval of the batch before.
 */
export function planBatch(now: Date, account: AccountState, campaigns: readonly CampaignState[], random: Random): Plan {
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

/** When the account's next batch can have something to do, seen from `now`; null when nothing is in sight. */
export function nextBatchTime(now: Date, account: AccountState, campaigns: readonly CampaignState[]): Date | null {
  return nextBatch(earliestBatch(now, account), account, campaigns);
}

/** The earliest instant at which the account may send at all: interval, daily limit, window. Never null: `now` stands in when it never opens. */
function earliestBatch(now: Date, account: AccountState): Date {
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

/** The earliest instant, `from` or later, at which some campaign has a mail due inside all its windows. */
function nextBatch(from: Date, account: AccountState, campaigns: readonly CampaignState[]): Date | null {
  let first: Date | null = null;
  for (const { startsAt, groups } of campaigns) {
    for (const group of groups) {
      const ready = group.due > 0 ? from : group.nextDue;
      if (ready === null) continue;
      const start = [from, ready, startsAt ?? from].reduce((latest, at) => (at > latest ? at : latest));
      // Looking for the windows to open is most of the work of a plan; who is ready later can't come first.
      if (first !== null && start >= first) continue;
      const at = nextOpening([account.window, group.window], start) ?? new Date(start.getTime() + LOOK_AGAIN);
      if (first === null || at < first) first = at;
    }
  }
  return first;
}
