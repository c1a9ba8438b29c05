import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { moveEvents } from '../../events/index.ts';
import type { ProviderMatch } from '../options/campaign-options.ts';
import { isHeldForProvider, isWaiting } from '../states/enrolment.ts';
import { type MemberState, openMembers, sendableMembers } from './open-members.ts';
import {
  type Distributed,
  holdForProviders,
  mostRestrictedFirst,
  placementOf,
  providerColumns,
  providerMatchOf,
  wantProvidersOf,
} from './provider-match.ts';

/**
 * Distributes items one by one, each to the owner who has the fewest at that point; among equals, to the first.
 * @param counts number of items that each owner has so far
 * @param ownersFor returns the owners that an item may go to, at least one; by default all
 * @returns the new items of each owner
 */
export function distribute<Item>(
  items: readonly Item[],
  counts: ReadonlyMap<number, number>,
  ownersFor?: (item: Item) => readonly number[],
): Map<number, Item[]> {
  const shares = new Map([...counts].map(([owner, count]) => [owner, { count, items: [] as Item[] }]));
  const all = [...counts.keys()];
  if (all.length === 0) return new Map();
  const countOf = (owner: number) => shares.get(owner)?.count ?? Number.POSITIVE_INFINITY;
  for (const item of items) {
    const fewest = (ownersFor?.(item) ?? all).reduce((least, owner) => (countOf(owner) < countOf(least) ? owner : least));
    const share = shares.get(fewest);
    share?.items.push(item);
    if (share !== undefined) share.count++;
  }
  return new Map([...shares].map(([owner, share]) => [owner, share.items]));
}

/** The campaigns of a rotation group that contacts are distributed over. */
export interface Spread {
  match: ProviderMatch;
  /** All campaigns that may get contacts. */
  open: readonly MemberState[];
  /** The campaigns among them that get contacts whose provider doesn't matter. */
  usual: readonly MemberState[];
}

/**
 * Distributes contacts by provider, as `placementOf` decides, and evenly over equivalent campaigns.
 * @param counts active enrolments of the open campaigns so far
 * @returns the contacts of each campaign, and the ids of held contacts by reason
 */
export function distributeByProvider<Item extends Distributed>(
  items: readonly Item[],
  { match, open, usual }: Spread,
  counts: ReadonlyMap<number, number>,
): { shares: Map<number, Item[]>; held: Map<string, number[]> } {
  if (usual.length === 0) return { shares: new Map(), held: new Map() };
  const held = new Map<string, number[]>();
  const holdBecause = (reason: string) => {
    const ids = held.get(reason) ?? [];
    held.set(reason, ids);
    return ids;
  };
  const shares = distribute(mostRestrictedFirst(items), counts, (item) => {
    const { to, hold } = placementOf(item, match, open, usual);
    if (hold !== null) holdBecause(hold).push(item.id);
    return to.map(({ id }) => id);
  });
  return { shares, held };
}

/**
 * Returns the campaigns that the contacts of a locked rotation group are distributed over, and its `provider_match`.
 * @param named a campaign that gets contacts even if it is archived or its account is not live
 */
export async function spreadOver(tx: Tx, members: readonly number[], named?: number): Promise<Spread> {
  const open = await openMembers(tx, members, named);
  return { match: await providerMatchOf(tx, members[0]), open, usual: sendableMembers(open) };
}

/**
 * Distributes contacts of some campaigns of a rotation group who have been sent nothing yet over the campaigns of `spread`, so that these
 * end up with the same number of active enrolments. Does so separately for each group of the A/B test. Contacts keep their step, their
 * variant and their events. The caller holds the locks of all these campaigns. Indexes: enrolments_active, outbox_enrolment_id_step_id_key.
 * @param only condition on enrolment `e`; enrolments that don't meet it stay where they are
 * @returns the number of contacts that moved to another campaign
 */
export async function distributeUnsent(tx: Tx, from: readonly number[], spread: Spread, now: Date, only: Sql = sql`true`): Promise<number> {
  // A claim clears due_at, so an enrolment that is claimed while this query waits for its row drops out.
  const unsent = await tx.query<Distributed & { campaign_id: number }>(sql`
    select e.id, e.campaign_id, ${providerColumns('k', spread.match)} from enrolments e join contacts k on k.id = e.contact_id
    where e.campaign_id = any(${from}::int[]) and (${isWaiting('e')} or ${isHeldForProvider('e')}) and e.last_sent_step = 0 and ${only}
      and not exists (select from outbox o where o.enrolment_id = e.id)
    order by e.variant, e.id for no key update of e`);
  const ids = spread.open.map(({ id }) => id);
  if (spread.match !== 'off') await wantProvidersOf(tx, unsent, ids, now);
  const { shares, held } = distributeByProvider(unsent, spread, await countsWithout(tx, ids, unsent));
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
  await holdForProviders(tx, sql`e.id = any(${unsent.map(({ id }) => id)}::int[])`, 'id', held, now);
  return moves.reduce((sum, { newcomers }) => sum + newcomers.length, 0);
}

/** Counts the active enrolments of each campaign, without those that are about to be distributed. */
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
