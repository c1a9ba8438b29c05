import { isOpen, type SendingWindow } from '../../campaigns/index.ts';
import { type CampaignState, type Group, isFull } from './campaign-state.ts';
import { allocateFairly } from './fair-share.ts';

/** Number of emails that one campaign sends in a batch, to contacts in groups whose windows are open. */
export interface Allocation {
  campaignId: number;
  count: number;
  groups: readonly Group[];
  /** True if only first emails may be sent. */
  firstOnly?: true;
  /** True if the campaign has daily limits. */
  isLimited?: true;
}

export interface BatchAllocation {
  allocations: Allocation[];
  lastCampaignId: number | null;
}

/**
 * The slots of one batch. An email uses its slot when it is submitted to the server; a released email leaves its slot to others.
 * The next `allocate` skips campaigns that can use no slot of this batch. Free of I/O; used by the sender and the forecast.
 */
export class BatchSlots {
  readonly #lastServed: number | null;
  readonly #used = new Map<number, number>();
  readonly #excluded = new Set<number>();
  readonly #withoutFollowUps = new Set<number>();
  /** Unused slots; `#unused` counts those that the latest allocation assigned. */
  #left: number;
  #unused = 0;

  /** @param lastServed the campaign that the previous batch served last; the first turn goes to the one after it */
  constructor(size: number, lastServed: number | null) {
    this.#left = size;
    this.#lastServed = lastServed;
  }

  /** True if every assigned slot is used, so no campaign had more emails or no slot is left. */
  get areAllUsed(): boolean {
    return this.#unused === 0;
  }

  usedBy(campaignId: number): number {
    return this.#used.get(campaignId) ?? 0;
  }

  use(campaignId: number): void {
    this.#used.set(campaignId, this.usedBy(campaignId) + 1);
    this.#left--;
    this.#unused--;
  }

  /** Excludes the campaign from the rest of the batch, because it has no email to send or its emails get no permit. */
  exclude(campaignId: number): void {
    this.#excluded.add(campaignId);
  }

  /** Excludes the campaign's follow-ups from the rest of the batch, because their reply mailbox is unreadable. */
  excludeFollowUps(campaignId: number): void {
    this.#withoutFollowUps.add(campaignId);
  }

  /**
   * Allocates the unused slots to emails due now, as fairly as if the batch had been divided only once. A campaign that may send
   * only first emails still gets slots for all its due emails, because counting first emails would add a search to every plan; the
   * caller excludes the campaign once they run out, and allocates the rest again.
   */
  allocate(now: Date, accountWindow: SendingWindow, campaigns: readonly CampaignState[]): BatchAllocation {
    if (!isOpen(accountWindow, now)) return { allocations: [], lastCampaignId: this.#lastServed };
    const eligible = new Map(campaigns.filter(({ id }) => !this.#excluded.has(id)).map((one) => [one.id, openGroups(now, one)]));
    const demands = [...eligible].map(([campaignId, groups]) => ({
      campaignId,
      used: this.usedBy(campaignId),
      available: availableIn(
        groups,
        campaigns.find(({ id }) => id === campaignId),
      ),
    }));
    const { shares, lastServed } = allocateFairly(this.#left, demands, this.#lastServed);
    this.#unused = [...shares.values()].reduce((sum, count) => sum + count, 0);
    const limited = new Set(campaigns.filter(({ isLimited }) => isLimited).map(({ id }) => id));
    const allocationOf = (id: number, count: number) => ({
      ...this.#allocationOf(id, count, eligible.get(id) ?? []),
      ...(limited.has(id) ? { isLimited: true as const } : {}),
    });
    return { allocations: [...shares].map(([id, count]) => allocationOf(id, count)), lastCampaignId: lastServed };
  }

  #allocationOf(campaignId: number, count: number, groups: readonly Group[]): Allocation {
    return { campaignId, count, groups, ...(this.#withoutFollowUps.has(campaignId) ? { firstOnly: true } : {}) };
  }
}

function openGroups(now: Date, campaign: CampaignState): readonly Group[] {
  if (campaign.startsAt !== null && campaign.startsAt > now) return [];
  return campaign.groups.filter((group) => isOpen(group.window, now) && !(group.isFirst === true && isFull(campaign)));
}

/** Returns the number of emails due in the open groups of a campaign, with no more first emails than its limit allows. */
function availableIn(groups: readonly Group[], campaign: CampaignState | undefined): number {
  const sum = (some: readonly Group[]) => some.reduce((total, { due }) => total + due, 0);
  const first = groups.filter(({ isFirst }) => isFirst === true);
  const left = campaign?.newContacts?.left ?? Number.POSITIVE_INFINITY;
  return sum(groups) - sum(first) + Math.min(sum(first), left);
}
