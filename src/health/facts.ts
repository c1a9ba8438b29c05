import type { AccountStatus, KeptHealth, PauseReason, PlacementTest } from '../accounts/index.ts';
import { DAY } from '../core/clock.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { DkimKey } from '../mail/dkim.ts';
import type { MailServer } from '../mail/mail-url.ts';

/** The emails of an account in the last 7 and 30 days, with their outcomes. */
export interface Traffic {
  emails_7: number;
  bounces_7: number;
  emails_30: number;
  bounces_30: number;
  complaints_7: number;
  complaints_30: number;
  /** Pauses because of a daily limit of its provider. */
  limited_7: number;
  limited_30: number;
}

/** The fields of an account that its checks read. */
export interface AccountFacts extends Traffic {
  id: number;
  workspace_id: number;
  email: string;
  status: AccountStatus;
  pause_reason: PauseReason | null;
  pause_message: string | null;
  connection_error: string | null;
  smtp: MailServer;
  dkim: DkimKey[] | null;
  tracking_host: string | null;
  health: KeptHealth | null;
  placements: PlacementTest[];
}

/**
 * Reads accounts for their checks, in the order of their ids. Bounces that were forgiven when the account was resumed do not count.
 * Indexes: accounts_pkey, account_days_pkey, inbound_messages_complaints, audit_log_resource.
 */
export function readFacts(db: Queryable, ids: readonly number[], now: Date): Promise<AccountFacts[]> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  const dayOf = (instant: Date) => instant.toISOString().slice(0, 10);
  const week = ago(7);
  return db.query<AccountFacts>(sql`
    with complaints as (
      select o.account_id, count(*)::int as of_30, (count(*) filter (where m.created_at > ${week}))::int as of_7
      from inbound_messages m join outbox o on o.id = m.outbox_id
      where m.verdict = 'feedback_report' and m.created_at > ${ago(30)} and o.account_id = any(${ids}::int[]) group by 1
    )
    select a.id, a.workspace_id, a.email, a.status, a.pause_reason, a.pause_message, a.connection_error, a.smtp, a.dkim, a.tracking_host,
      a.health, a.placements, d.*, coalesce(c.of_7, 0) as complaints_7, coalesce(c.of_30, 0) as complaints_30, l.*
    from accounts a left join complaints c on c.account_id = a.id,
    lateral (
      select coalesce(sum(e.emails) filter (where e.day > ${dayOf(week)}::date), 0)::int as emails_7,
        coalesce(sum(e.bounces) filter (where e.day > ${dayOf(week)}::date), 0)::int as bounces_7,
        coalesce(sum(e.emails), 0)::int as emails_30, coalesce(sum(e.bounces), 0)::int as bounces_30
      from (
        select d.day, greatest(d.accepted + d.refused - d.forgiven_mails, 0) as emails, greatest(d.bounced - d.forgiven_bounces, 0) as bounces
        from account_days d where d.account_id = a.id and d.day > ${dayOf(ago(30))}::date) e
    ) d,
    lateral (
      select (count(*) filter (where h.at > ${week}))::int as limited_7, count(*)::int as limited_30
      from audit_log h where h.resource_type = 'account' and h.resource_id = a.id and h.at > ${ago(30)}
        and h.changes->'pause_reason'->>1 = 'provider_limit'
    ) l
    where a.id = any(${ids}::int[]) and a.deleted_at is null order by a.id`);
}
