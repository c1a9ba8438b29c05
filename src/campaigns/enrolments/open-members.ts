import { canSend, isLiveAccount, mailProviderOf } from '../../accounts/index.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import type { MailProvider } from '../../mail-domains/index.ts';
import { campaignIs } from '../states/campaign.ts';

/** A campaign of a rotation group that may get new contacts. */
export interface MemberState {
  id: number;
  /** Number of its active enrolments. */
  active: number;
  /** True if it sends or will send: it is active or a draft, and its account is active. */
  can_send: boolean;
  /** Mailbox provider of its account; null until it has been looked up. */
  provider: MailProvider | null;
}

/**
 * Returns the campaigns of a locked rotation group that may get new contacts. Leaves out campaigns that are leaving the group, are
 * archived, or whose account is not live. `named` may be archived or without a live account. Indexes: campaigns_pkey, enrolments_active.
 */
export function openMembers(tx: Tx, members: readonly number[], named?: number): Promise<MemberState[]> {
  return tx.query<MemberState>(sql`
    select c.id, ${campaignIs('c', 'active', 'draft')} and not c.is_archived and ${canSend('a')} as can_send, ${mailProviderOf('a')} as provider,
      (select count(*)::int from enrolments e where e.campaign_id = c.id and e.status = 'active') as active
    from campaigns c join accounts a on a.id = c.account_id
    where c.id = any(${members}::int[]) and not c.is_leaving
      and (c.id = ${named ?? null}::int or (not c.is_archived and ${isLiveAccount('a')}))
    order by c.id`);
}

/** Returns the campaigns that send or will send, or all if none does. */
export function sendableMembers(open: readonly MemberState[]): readonly MemberState[] {
  const sendable = open.filter((row) => row.can_send);
  return sendable.length > 0 ? sendable : open;
}
