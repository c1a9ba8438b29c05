import { nextOpening, type SendingWindow } from '../../campaigns/index.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { nextLocalDay } from '../../core/zone.ts';
import { type Allocation, BatchSlots } from './batch-slots.ts';
import { type CampaignState, isFull } from './campaign-state.ts';

/**
 * Windows that do not overlap now may overlap after a change to or from daylight saving time, so they are checked again after this time.
 */
const WINDOW_RECHECK = 7 * DAY;

/** Limits of an account and what it has sent so far: the input of a plan. */
export interface PlannedAccount {
  window: SendingWindow;
  batchMin: number;
  batchMax: number;
  intervalMinutes: number;
  /** Maximum number of emails for the account's local day, after ramp-up. */
  dailyLimit: number;
  /** Number of emails on the account's current local day, including those in flight. */
  sentToday: number;
  lastBatchAt: Date | null;
  /** Time before which no connection is attempted, because the last ones failed; none by default. */
  connectAfter?: Date | null;
  lastCampaignId: number | null;
}

/** Emails of one batch by campaign, and the time of the next batch. */
export interface Plan {
  /** Slots of the batch, for another allocation when emails are released. */
  slots: BatchSlots;
  allocations: Allocation[];
  lastCampaignId: number | null;
  /** Earliest time at which the next batch can have an email to send; null if no email is expected. */
  nextBatchAt: Date | null;
}

/**
 * Plans one batch. It does no I/O: the sender executes the plan, and the forecast simulates it. No email is sent
 * outside the windows of the account and the group, before a scheduled start, beyond the daily limit, or within the
 * interval after the previous batch.
 */
export function planBatch(now: Date, account: PlannedAccount, campaigns: readonly CampaignState[], random: Random): Plan {
  const earliest = earliestBatch(now, account);
  if (earliest > now) {
    const nextBatchAt = nextBatch(earliest, account, campaigns);
    return { slots: new BatchSlots(0, account.lastCampaignId), allocations: [], lastCampaignId: account.lastCampaignId, nextBatchAt };
  }
  const size = Math.min(random.integer(account.batchMin, account.batchMax), account.dailyLimit - account.sentToday);
  const slots = new BatchSlots(size, account.lastCampaignId);
  const round = slots.allocate(now, account.window, campaigns);
  const from = round.allocations.length > 0 ? new Date(now.getTime() + account.intervalMinutes * MINUTE) : now;
  return { slots, ...round, nextBatchAt: nextBatch(from, account, campaigns) };
}

/** Returns the earliest time from `now` on at which a batch can have an email to send; null if no email is expected. */
export function nextBatchTime(now: Date, account: PlannedAccount, campaigns: readonly CampaignState[]): Date | null {
  return nextBatch(earliestBatch(now, account), account, campaigns);
}

/**
 * Returns the earliest time at which interval, failed connections, daily limit and window let the account send. Ignores a window that never
 * opens.
 */
function earliestBatch(now: Date, account: PlannedAccount): Date {
  const afterInterval = account.lastBatchAt === null ? now : new Date(account.lastBatchAt.getTime() + account.intervalMinutes * MINUTE);
  let earliest = [afterInterval, account.connectAfter ?? now].reduce((latest, at) => (at > latest ? at : latest), now);
  if (account.sentToday >= account.dailyLimit) {
    const tomorrow = nextLocalDay(now, account.window.timezone);
    if (tomorrow > earliest) earliest = tomorrow;
  }
  return nextOpening([account.window], earliest) ?? earliest;
}

/** Returns the earliest time from `from` on at which some campaign has an email due and all windows are open; null if no campaign will. */
function nextBatch(from: Date, account: PlannedAccount, campaigns: readonly CampaignState[]): Date | null {
  let first: Date | null = null;
  for (const campaign of campaigns) {
    for (const group of campaign.groups) {
      const ready = group.due > 0 ? from : group.nextDue;
      if (ready === null) continue;
      const nextDay = group.isFirst === true && isFull(campaign) ? campaign.newContacts?.nextDay : undefined;
      const start = [from, ready, campaign.startsAt ?? from, nextDay ?? from].reduce((latest, at) => (at > latest ? at : latest));
      // Finding the next opening is the most expensive part of a plan, so skip groups that are ready too late to be first.
      if (first !== null && start >= first) continue;
      const at = nextOpening([account.window, group.window], start) ?? new Date(start.getTime() + WINDOW_RECHECK);
      if (first === null || at < first) first = at;
    }
  }
  return first;
}
