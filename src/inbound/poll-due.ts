import { type Viewer, visible } from '../access/index.ts';
import { hasReadableMailbox, isPollTime, wasPromisedSince } from '../accounts/index.ts';
import { campaignIs, isReplyAccount } from '../campaigns/index.ts';
import { type Backlog, lagSeconds } from '../db/backlog.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** Number of days that a mailbox is polled after the last email with it as reply address, because replies may come late. */
const DAYS_AFTER = 180;

/**
 * Condition: the mailbox of account `r` may receive replies or bounces, because an email directed replies to it, whatever became of the
 * campaign, or a campaign does so now. That includes archived accounts whose contacts another account emails. The account's campaigns, and
 * those whose replies go to it, are looked up by address: comparing ten thousand mailboxes with every campaign of the workspace kept
 * PostgreSQL busy for minutes. Indexes: accounts_mailbox, campaigns_account, campaigns_reply_to.
 */
export function isWorthReading(now: Date): Sql {
  const recently = sql`${now}::timestamptz - make_interval(days => ${DAYS_AFTER})`;
  const hasReplies = sql`c.workspace_id = r.workspace_id and c.deleted_at is null and ${isReplyAccount('c', 'a', 'r')}
    and (${campaignIs('c', 'active')} or (not ${campaignIs('c', 'draft')} and c.updated_at > ${recently}))`;
  return sql`${hasReadableMailbox('r')}
    and (r.last_batch_at > ${recently} or ${wasPromisedSince('r', recently)}
      or exists (select from accounts a join campaigns c on c.account_id = a.id
        where a.workspace_id = r.workspace_id and address_key(a.email) = address_key(r.email) and ${hasReplies})
      or exists (select from campaigns c join accounts a on a.id = c.account_id where c.reply_to is not null and address_key(c.reply_to) = address_key(r.email) and ${hasReplies}))`;
}

/** Condition: the mailbox of account `a` receives replies to active campaigns. Index: campaigns_reply_to. */
export const isAwaited = sql`exists (select from campaigns c
  where c.workspace_id = a.workspace_id and c.reply_to is not null and address_key(c.reply_to) = address_key(a.email) and ${campaignIs('c', 'active')} and c.deleted_at is null)`;

/** Condition: the mailbox of account `r` is due for a poll, even if a worker is already polling it. */
export const isPollDue = (now: Date): Sql => sql`${isWorthReading(now)} and ${isPollTime(now)}`;

/**
 * Returns the time of an account's next poll; null if its mailbox is not polled or was never polled. Indexes: accounts_pkey,
 * campaigns_page.
 */
export async function nextPollOf(db: Queryable, accountId: number, now: Date): Promise<string | null> {
  const [row] = await db.query<{ at: string | null }>(
    sql`select ${timestamp('r.next_poll_at')} as at from accounts r where r.id = ${accountId} and ${isWorthReading(now)}`,
  );
  return row?.at ?? null;
}

/**
 * Counts accounts visible to the viewer whose mailbox is due for a poll. One that was never polled is due but not late. Index:
 * accounts_poll.
 */
export async function readPollBacklog(db: Queryable, viewer: Viewer, now: Date): Promise<Backlog> {
  const [row] = await db.query<Backlog>(sql`
    select count(*)::int as due, ${lagSeconds(sql`min(r.next_poll_at)`, now)} as lag_seconds
    from accounts r where ${isPollDue(now)} and ${visible(viewer, 'accounts', 'r')}`);
  return row ?? { due: 0, lag_seconds: 0 };
}
