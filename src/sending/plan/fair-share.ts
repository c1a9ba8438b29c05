/** Number of emails that one campaign could send now, and number of slots that it has used in this batch. */
export interface Demand {
  campaignId: number;
  available: number;
  used?: number;
}

/**
 * Divides a batch among campaigns in turns of one email (round-robin); slots that a campaign cannot use go to the others
 * (max-min fairness). The first turn goes to the campaign after the one served last, so that batches smaller than the
 * number of campaigns are also fair over time. A campaign sits out one turn for each slot that it has used.
 * @returns the number of emails of each campaign that gets a slot, and the campaign served last
 */
export function allocateFairly(
  size: number,
  demands: readonly Demand[],
  lastServed: number | null,
): { shares: Map<number, number>; lastServed: number | null } {
  const withDemand = demands.filter((demand) => demand.available > 0).sort((a, b) => a.campaignId - b.campaignId);
  const first = lastServed === null ? 0 : withDemand.findIndex((demand) => demand.campaignId > lastServed);
  const turns = first > 0 ? [...withDemand.slice(first), ...withDemand.slice(0, first)] : withDemand;
  const shares = new Map<number, number>();
  let left = size;
  let served = lastServed;
  let open = turns;
  for (let turn = 0; left > 0 && open.length > 0; turn++) {
    for (const { campaignId, used = 0 } of open) {
      if (left === 0) break;
      if (used > turn) continue;
      shares.set(campaignId, (shares.get(campaignId) ?? 0) + 1);
      served = campaignId;
      left--;
    }
    open = open.filter(({ campaignId, available }) => (shares.get(campaignId) ?? 0) < available);
  }
  return { shares, lastServed: served };
}
