import type { App } from '../app.ts';
import { sql } from '../db/database.ts';
import { pollsAwaited } from '../inbound/index.ts';

/** What all daemons together have before them. Lags are seconds that the longest waiting one is late; 0 when none is. */
export interface State {
  accounts: { status: string; count: number }[];
  mailsDue: number;
  mailsInFlight: number;
  mailsUnknown: number;
  batchesDue: number;
  batchLag: number;
  pollsDue: number;
  pollLag: number;
  webhooksDue: number;
  webhookLag: number;
  callsDue: number;
}

/** A queue longer than this is long enough for an alarm; counting on would cost more with every mail. */
export const MOST_COUNTED = 10_000;

/**
 * Reads it in statements that stay cheap whatever the number of contacts and events. Indexes: accounts_batch,
 * accounts_poll, campaigns_active, enrolments_due, outbox_open, webhook_deliveries_due, call_tasks_pending.
 */
export async function readState(app: App): Promise<State> {
  const now = app.clock.now();
  const [accounts, [mails], [polls], [webhooks]] = await Promise.all([
    app.db.query<State['accounts'][number]>(sql`
      select s.status, count(a.id)::int as count from unnest(array['active', 'paused', 'disconnected']) s (status)
      left join accounts a on a.status = s.status and a.deleted_at is null and not a.is_archived group by s.status`),
    app.db.query<Pick<State, 'mailsDue' | 'mailsInFlight' | 'mailsUnknown' | 'batchesDue' | 'batchLag' | 'callsDue'>>(sql`
      select (select count(*)::int from (
          select from campaigns c join enrolments e on e.campaign_id = c.id
          where c.status = 'active' and c.deleted_at is null and e.status = 'active' and e.due_at <= ${now} limit ${MOST_COUNTED}) due) as "mailsDue",
        (select count(*)::int from outbox where closed_at is null and state in ('claimed', 'transmitting')) as "mailsInFlight",
        (select count(*)::int from outbox where closed_at is null and state in ('uncertain', 'unknown')) as "mailsUnknown",
        (select count(*)::int from call_tasks where status = 'pending') as "callsDue",
        b.due as "batchesDue", b.lag as "batchLag"
      from (
        select count(*)::int as due, coalesce(extract(epoch from ${now}::timestamptz - min(next_batch_at)), 0)::float8 as lag from accounts
        where status = 'active' and deleted_at is null and not is_archived and next_batch_at <= ${now}) b`),
    app.db.query<Pick<State, 'pollsDue' | 'pollLag'>>(sql`
      select count(*)::int as "pollsDue", coalesce(extract(epoch from ${now}::timestamptz - min(r.next_poll_at)), 0)::float8 as "pollLag"
      from accounts r where ${pollsAwaited(now)}`),
    app.db.query<Pick<State, 'webhooksDue' | 'webhookLag'>>(sql`
      select coalesce(sum(d.due), 0)::int as "webhooksDue", coalesce(extract(epoch from ${now}::timestamptz - min(d.first)), 0)::float8 as "webhookLag"
      from webhooks w, lateral (
        select count(*) as due, min(next_attempt_at) as first from (
          select next_attempt_at from webhook_deliveries
          where webhook_id = w.id and status = 'pending' and next_attempt_at <= ${now} order by next_attempt_at limit ${MOST_COUNTED}) p) d
      where w.deleted_at is null and w.is_enabled and (w.rests_until is null or w.rests_until <= ${now})`),
  ]);
  if (mails === undefined || polls === undefined || webhooks === undefined) throw new Error('the state of the queues gave no row');
  return { accounts, ...mails, ...polls, ...webhooks };
}
