import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { moveEvents, recountMoved } from '../../events/index.ts';
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
 * Distributes the contacts of some campaigns of a rotation group who have been sent nothing yet over others of it, separately
 * for the groups of the A/B test, so that all of these have the same number of active enrolments. They keep their step, their
 * variant and their events. The caller holds the locks of all. Indexes: enrolments_active, outbox_enrolment_id_step_id_key.
 * @returns the number of contacts that moved to another campaign
 */
export async function distributeUnsent(tx: Tx, from: readonly number[], to: readonly number[]): Promise<number> {
  // A claim clears due_at, so an enrolment that is claimed while this waits for its row drops out here.
  const unsent = await tx.query<{ id: number; campaign_id: number }>(sql`
    select e.id, e.campaign_id from enrolments e
    where e.campaign_id = any(${from}::int[]) and ${isWaiting('e')} and e.last_sent_step = 0
      and not exists (select from outbox o where o.enrolment_id = e.id)
    order by e.variant, e.id for no key update of e`);
  const shares = distribute(unsent, await countsWithout(tx, to, unsent));
  const moves = [...shares].map(([campaignId, share]) => ({
    campaignId,
    newcomers: share.filter((enrolment) => enrolment.campaign_id !== campaignId),
  }));
  for (const { campaignId, newcomers } of moves)
    await moveEnrolments(
      tx,
      newcomers.map(({ id }) => id),
      campaignId,
    );
  const changed = moves.flatMap(({ campaignId, newcomers }) => newcomers.flatMap(({ campaign_id }) => [campaignId, campaign_id]));
  for (const id of [...new Set(changed)].sort((one, other) => one - other)) await recountMoved(tx, id);
  return moves.reduce((sum, { newcomers }) => sum + newcomers.length, 0);
}

/** The number of active enrolments of each campaign, without those that are about to be distributed. */
async function countsWithout(
  tx: Tx,
  campaignIds: readonly number[],
  enrolments: readonly { campaign_id: number }[],
): Promise<Map<number, number>> {
  const active = await tx.query<{ id: number; count: number }>(sql`
    select c.id, (select count(*)::int from enrolments e where e.campaign_id = c.id and e.status = 'active') as count
    from unnest(${campaignIds}::int[]) with ordinality as c (id, position) order by position`);
  const own = (id: number) => enrolments.filter((enrolment) => enrolment.campaign_id === id).length;
  return new Map(active.map(({ id, count }) => [id, count - own(id)]));
}

async function moveEnrolments(tx: Tx, ids: readonly number[], campaignId: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`update enrolments set campaign_id = ${campaignId} where id = any(${ids}::int[])`);
  await moveEvents(tx, ids, campaignId);
}
