import { replyAccountId } from '../../campaigns/index.ts';
import { type Queryable, sql } from '../../db/statement.ts';

/** A mailbox that receives a campaign's replies but could not be polled, so the campaign's follow-ups wait. */
export interface UnreadMailbox {
  campaign_id: number;
  email: string;
  /** Reason, in the words of the server. */
  error: string;
  next_poll_at: Date | null;
}

/** Reads the unread reply mailboxes of these campaigns when they send from this account. Index: accounts_pkey. */
export function unreadMailboxes(db: Queryable, accountId: number, campaignIds: readonly number[]): Promise<UnreadMailbox[]> {
  return db.query<UnreadMailbox>(sql`
    select c.id as campaign_id, r.email, r.poll_error as error, r.next_poll_at
    from campaigns c join accounts a on a.id = ${accountId} join accounts r on r.id = ${replyAccountId('c', 'a')}
    where c.id = any(${campaignIds}::int[]) and r.poll_error is not null`);
}

/** Reads the warnings of a campaign's reply mailbox: folders other than INBOX that were missing or refused. Index: accounts_pkey. */
export async function mailboxWarnings(db: Queryable, campaignId: number): Promise<{ email: string; warning: string }[]> {
  return db.query(sql`
    select r.email, r.poll_warning as warning
    from campaigns c join accounts a on a.id = c.account_id join accounts r on r.id = ${replyAccountId('c', 'a')}
    where c.id = ${campaignId} and r.poll_warning is not null`);
}
