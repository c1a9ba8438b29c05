import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { moveEvents, recountCampaign } from '../../events/index.ts';
import { isWaiting } from '../states/enrolment.ts';

/**
 * Distributes items one by one, each to the owner who has the fewest by then; among equals, to the first.
 * @param counts items of each owner so far
 * @returns the new items of each owner
 */
export function distribute<Item>(items: readonly Item[], counts: ReadonlyMap<number, number>): Map<number, Item[]> {
  const shares = [...counts].map(([owner, count]) => ({ owner, count, items: [] as Item[] }));
  const [first] = shares;
  if (first === undefined) return new Map();
  for (const item of items) {
    const fewest = shares.reduce((least, share) => (share.count < least.count ? share : least), first);
    fewest.items.push(item);
    fewest.count++;
  }
  return new Map(shares.map((share) => [share.owner, share.items]));
}

/**
 * Distributes the contacts of a campaign who have been sent nothing yet over it and the new, empty campaigns of its rotation
 * group, separately for the groups of the A/B test. They keep their step, their variant and their events. The caller holds
 * the lock of the campaign. Indexes: enrolments_active, outbox_enrolment_id_step_id_key.
 * @returns the number of contacts that moved to another campaign
 */
export async function distributeUnsent(tx: Tx, campaignId: number, copies: readonly number[]): Promise<number> {
  // A claim clears due_at, so an enrolment that is claimed while this waits for its row drops out here.
  const unsent = await tx.query<{ id: number }>(sql`
    select e.id from enrolments e
    where e.campaign_id = ${campaignId} and ${isWaiting('e')} and e.last_sent_step = 0
      and not exists (select from outbox o where o.enrolment_id = e.id)
    order by e.variant, e.id for no key update of e`);
  const [active] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from enrolments where campaign_id = ${campaignId} and status = 'active'`,
  );
  const counts = new Map([[campaignId, (active?.count ?? 0) - unsent.length], ...copies.map((id): [number, number] => [id, 0])]);
  const shares = distribute(
    unsent.map((row) => row.id),
    counts,
  );
  for (const copy of copies) {
    const ids = shares.get(copy) ?? [];
    await tx.query(sql`update enrolments set campaign_id = ${copy} where id = any(${ids}::int[])`);
    await moveEvents(tx, ids, copy);
  }
  for (const id of [campaignId, ...copies]) await recountCampaign(tx, id);
  return unsent.length - (shares.get(campaignId)?.length ?? 0);
}
