import { isOpen, type SendingWindow } from '../../campaigns/index.ts';
import type { CampaignState, Group } from './campaign-state.ts';
import { dealFairly } from './fair-share.ts';

/** Number of emails that one campaign sends in a batch, to contacts of the groups whose windows are open. */
export interface Share {
  campaignId: number;
  count: number;
  groups: readonly Group[];
  /** Set when none of them may be a follow-up. */
  firstOnly?: true;
}

export interface Deal {
  shares: Share[];
  lastCampaignId: number | null;
}

/**
 * The places of one batch. An email uses its place when it is handed to the server. One that is put back leaves its place to
 * others: deal again, and whoever can't use a place in this batch is passed over. Pure; the sender and the forecast use it alike.
 */
export class BatchPlaces {
  readonly #lastServed: number | null;
  readonly #used = new Map<number, number>();
  readonly #withheld = new Set<number>();
  readonly #withoutFollowUps = new Set<number>();
  /** Places that are not used yet, and those of them that the latest deal gave away. */
  #left: number;
  #unused = 0;

  /** @param lastServed the campaign that the batch before served last; the turn of the next one comes first */
  constructor(size: number, lastServed: number | null) {
    this.#left = size;
    this.#lastServed = lastServed;
  }

  /** True when every place that was dealt is used: nobody had more, or none is left. */
  get areUsed(): boolean {
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

  /** Gives the campaign nothing more in this batch: it has no email that can go, or those it has are refused a permit. */
  withhold(campaignId: number): void {
    this.#withheld.add(campaignId);
  }

  /** Gives the campaign's follow-ups nothing more in this batch, since the mailbox of the replies can't be read. */
  withholdFollowUps(campaignId: number): void {
    this.#withoutFollowUps.add(campaignId);
  }

  /** Deals the places that are left over what is due now, so that all campaigns come out as if the batch had been dealt once. */
  deal(now: Date, accountWindow: SendingWindow, campaigns: readonly CampaignState[]): Deal {
    if (!isOpen(accountWindow, now)) return { shares: [], lastCampaignId: this.#lastServed };
    const eligible = new Map(campaigns.filter(({ id }) => !this.#withheld.has(id)).map((one) => [one.id, openGroups(now, one)]));
    const demands = [...eligible].map(([campaignId, groups]) => ({
      campaignId,
      used: this.usedBy(campaignId),
      available: groups.reduce((sum, { due, dueFirst }) => sum + (this.#withoutFollowUps.has(campaignId) ? dueFirst : due), 0),
    }));
    const { shares, lastServed } = dealFairly(this.#left, demands, this.#lastServed);
    this.#unused = [...shares.values()].reduce((sum, count) => sum + count, 0);
    return { shares: [...shares].map(([id, count]) => this.#share(id, count, eligible.get(id) ?? [])), lastCampaignId: lastServed };
  }

  #share(campaignId: number, count: number, groups: readonly Group[]): Share {
    return { campaignId, count, groups, ...(this.#withoutFollowUps.has(campaignId) ? { firstOnly: true } : {}) };
  }
}

function openGroups(now: Date, campaign: CampaignState): readonly Group[] {
  if (campaign.startsAt !== null && campaign.startsAt > now) return [];
  return campaign.groups.filter(({ window }) => isOpen(window, now));
}
