import { type Caller, isAdmin, visible } from '../access/index.ts';
import { sharedContacts } from '../contacts/index.ts';
import { empty, join, type Sql, sql } from '../db/statement.ts';
import type { ReplyKind } from './reply.ts';

/** The filters of a list of replies that have counters. */
export interface CountedFilter {
  kinds: readonly ReplyKind[];
  campaignId?: number | undefined;
  accountId?: number | undefined;
  label?: string | undefined;
  isRead?: boolean | undefined;
  assignedTo?: number | undefined;
  /** The beginning of a month (UTC); only replies received since. */
  from?: Date | undefined;
}

/**
 * Selects `total`, the number of replies that the caller can see. It adds up counters kept by triggers, one for each combination of
 * campaign, account, notes and month, whatever the number of replies. Only the replies of private contacts that another user shared with the
 * caller are counted directly; there are few. Indexes: reply_counts_pkey, shares_user, replies_contact.
 */
export function countedReplies(caller: Caller, filter: CountedFilter): Sql {
  const counted = sql`select coalesce(sum(n.count), 0) from reply_counts n join campaigns c on c.id = n.campaign_id
    where ${noted('n', filter)} and ${visible(caller, 'campaigns', 'c')}`;
  if (isAdmin(caller)) return sql`select (${counted})::int as total`;
  return sql`select ((${counted} and n.audience in (0, ${caller.userId})) + (
      select count(*) from (${sharedContacts(caller)}) k
      join replies r on r.contact_id = k.id and ${noted('r', filter)}
      join campaigns c on c.id = r.campaign_id and ${visible(caller, 'campaigns', 'c')}
      where k.deleted_at is null))::int as total`;
}

/** The filter as a condition on replies `r` or their counters `n`, which have the same columns but for the time. */
function noted(alias: 'n' | 'r', { kinds, campaignId, accountId, label, isRead, assignedTo, from }: CountedFilter): Sql {
  const t = alias === 'n' ? sql`n` : sql`r`;
  return join(
    [
      sql`${t}.kind = any(${kinds}::text[])`,
      campaignId === undefined ? empty : sql`${t}.campaign_id = ${campaignId}`,
      accountId === undefined ? empty : sql`${t}.account_id = ${accountId}`,
      label === undefined ? empty : sql`${t}.label = ${label}`,
      isRead === undefined ? empty : sql`${t}.is_read = ${isRead}`,
      assignedTo === undefined ? empty : sql`${t}.assigned_to = ${assignedTo}`,
      from === undefined ? empty : alias === 'n' ? sql`n.month >= month_of(${from}::timestamptz)` : sql`r.received_at >= ${from}`,
    ].filter((condition) => condition !== empty),
    ' and ',
  );
}
