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
  /** It sends or will: it is active or a draft, on an active account. */
  can_send: boolean;
  /** Of its account; null until it was looked up. */
  provider: MailProvider | null;
}

/**
 * The campaigns of a locked rotation group that may get new contacts: all but those that leave it, are archived or whose account is
 * not live; `named` may even then. Indexes: campaigns_pkey, enrolments_active.
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

/** Those that can send or will; all if there are none. */
export function sendableMembers(open: readonly MemberState[]): readonly MemberState[] {
  const sendable = open.filter((row) => row.can_send);
  return sendable.length > 0 ? sendable : open;
}
