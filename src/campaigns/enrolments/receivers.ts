import { canSend, isLiveAccount } from '../../accounts/index.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { campaignIs } from '../states/campaign.ts';

/**
 * The campaigns of a locked rotation group that get new contacts, with their numbers of active enrolments: those that can send
 * or will, active or drafts, on an active account. If there are none, all but those that are archived or whose account is not
 * live; `named` counts even then. A campaign that leaves the group gets none. Indexes: campaigns_pkey, enrolments_active.
 */
export async function receiversOf(tx: Tx, members: readonly number[], named?: number): Promise<Map<number, number>> {
  const open = await tx.query<{ id: number; active: number; can_send: boolean }>(sql`
    select c.id, ${campaignIs('c', 'active', 'draft')} and not c.is_archived and ${canSend('a')} as can_send,
      (select count(*)::int from enrolments e where e.campaign_id = c.id and e.status = 'active') as active
    from campaigns c join accounts a on a.id = c.account_id
    where c.id = any(${members}::int[]) and not c.is_leaving
      and (c.id = ${named ?? null}::int or (not c.is_archived and ${isLiveAccount('a')}))
    order by c.id`);
  const sendable = open.filter((row) => row.can_send);
  return new Map((sendable.length > 0 ? sendable : open).map((row) => [row.id, row.active]));
}
