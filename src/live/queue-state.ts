import { type Caller, visible } from '../access/index.ts';
import { type Queryable, sql } from '../db/database.ts';

/** What the daemons have before them. */
export interface QueueState {
  /** Mails claimed or on the wire now. */
  in_flight: number;
  /** Mails whose delivery a person has to decide. */
  unknown: number;
  /** Accounts whose batch should have begun, and for how many seconds the longest has waited. */
  batches_due: number;
  batch_lag_seconds: number;
  /** Mailboxes that should have been read, and for how many seconds the longest has waited. */
  polls_due: number;
  poll_lag_seconds: number;
}

/** Indexes: outbox_open, accounts_batch, accounts_poll. */
export async function readQueueState(db: Queryable, caller: Caller, now: Date): Promise<QueueState> {
  const seconds = (column: 'next_batch_at' | 'next_poll_at') =>
    sql`coalesce(extract(epoch from ${now}::timestamptz - min(a.${column === 'next_batch_at' ? sql`next_batch_at` : sql`next_poll_at`})), 0)::int`;
  const [row] = await db.query<QueueState>(sql`
    select
      (select count(*)::int from outbox o join accounts a on a.id = o.account_id
        where o.closed_at is null and o.state in ('claimed', 'transmitting') and ${visible(caller, 'accounts', 'a')}) as in_flight,
      (select count(*)::int from outbox o join campaigns c on c.id = o.campaign_id
        where o.closed_at is null and o.state in ('uncertain', 'unknown') and ${visible(caller, 'campaigns', 'c')}) as unknown,
      b.batches_due, b.batch_lag_seconds, p.polls_due, p.poll_lag_seconds
    from (select count(*)::int as batches_due, ${seconds('next_batch_at')} as batch_lag_seconds from accounts a
        where a.next_batch_at <= ${now} and a.status = 'active' and not a.is_archived and ${visible(caller, 'accounts', 'a')}) b,
      (select count(*)::int as polls_due, ${seconds('next_poll_at')} as poll_lag_seconds from accounts a
        where a.next_poll_at <= ${now} and a.imap is not null and not a.is_archived and ${visible(caller, 'accounts', 'a')}) p`);
  return row ?? { in_flight: 0, unknown: 0, batches_due: 0, batch_lag_seconds: 0, polls_due: 0, poll_lag_seconds: 0 };
}
