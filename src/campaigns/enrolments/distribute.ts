import { sql, type Tx } from '../../db/database.ts';
import { recountCampaign } from '../../events/index.ts';

/**
 * Deals things out one by one, each to whoever has the fewest by then; among equals to the first.
 * @param counts how many each has so far
 */
export function dealOut<Item>(items: readonly Item[], counts: ReadonlyMap<number, number>): Map<number, Item[]> {
  const hands = [...counts].map(([owner, count]) => ({ owner, count, items: [] as Item[] }));
  const [first] = hands;
  if (first === undefined) return new Map();
  for (const item of items) {
    const fewest = hands.reduce((least, hand) => (hand.count < least.count ? hand : least), first);
    fewest.items.push(item);
    fewest.count++;
  }
  return new Map(hands.map((hand) => [hand.owner, hand.items]));
}

/**
 * Deals the contacts of a campaign that nothing was sent to out to it and to new, empty ones of its group, group by group
 * of the A/B test; they keep their place in the sequence, their group and their log. Returns how many went elsewhere.
 * The caller holds the lock of the campaign. Index: enrolments_active, outbox_enrolment_id_step_id_key.
 */
export async function dealUnsent(tx: Tx, campaignId: number, copies: readonly number[]): Promise<number> {
  // A claim takes due_at away: one that commits while this waits for its row is seen by that.
  const unsent = await tx.query<{ id: number }>(sql`
    select e.id from enrolments e
    where e.campaign_id = ${campaignId} and e.status = 'active' and e.last_sent_step = 0 and e.due_at is not null
      and not exists (select from outbox o where o.enrolment_id = e.id)
    order by e.variant, e.id for no key update of e`);
  const [active] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from enrolments where campaign_id = ${campaignId} and status = 'active'`,
  );
  const counts = new Map([[campaignId, (active?.count ?? 0) - unsent.length], ...copies.map((id): [number, number] => [id, 0])]);
  const hands = dealOut(
    unsent.map((row) => row.id),
    counts,
  );
  for (const copy of copies) {
    const ids = hands.get(copy) ?? [];
    await tx.query(sql`update enrolments set campaign_id = ${copy} where id = any(${ids}::int[])`);
    await tx.query(sql`update events set campaign_id = ${copy} where enrolment_id = any(${ids}::int[])`);
  }
  for (const id of [campaignId, ...copies]) await recountCampaign(tx, id);
  return unsent.length - (hands.get(campaignId)?.length ?? 0);
}
