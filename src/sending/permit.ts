import type { App } from '../app.ts';
import { suppressedCondition } from '../contacts/index.ts';
import { prepared, raw, sql } from '../db.ts';
import { WORKER } from '../worker.ts';
import { localDay } from '../zone.ts';
import type { ClaimedMail } from './claim.ts';

/**
 * Minutes for which a mail that is being transmitted is ours: longer than the ten minutes of RFC 5321 §4.5.3.2.6 for the
 * reply to the final dot.
 */
const TRANSMIT_LEASE_MINUTES = 15;

/** Why a claimed mail may not go now: it waits for a person or a time, or it shall never go. */
export type Permit = 'granted' | 'not now' | 'limit reached' | 'suppressed' | 'lost';

/**
 * Asks, right before a mail, whether everything still allows it, and if so commits that it is about to be transmitted
 * and counts it for the account's day: one statement. Whatever a person stopped before this commit stays unsent.
 */
export async function permitMail(
  app: App,
  account: { id: number; timezone: string; dailyLimit: number },
  mail: ClaimedMail,
): Promise<Permit> {
  const now = app.clock.now();
  const day = localDay(now, account.timezone);
  // `allowed` reads by primary keys; account_days is the counter that keeps the daily limit across daemons.
  const [row] = await app.db.query<{ allowed: boolean; counted: boolean }>(
    prepared(sql`
    with allowed as (
      select o.id from outbox o
      join enrolments e on e.id = o.enrolment_id and e.status = 'active' and (e.held_until is null or e.held_until <= ${now})
      join campaigns c on c.id = o.campaign_id and c.status = 'active' and c.deleted_at is null and not c.is_archived
        and (c.starts_at is null or c.starts_at <= ${now})
      join accounts a on a.id = o.account_id and a.status = 'active' and a.deleted_at is null and not a.is_archived
      join contacts t on t.id = o.contact_id and t.deleted_at is null and not t.is_archived
      join steps s on s.id = o.step_id and s.deleted_at is null
      where o.id = ${mail.id} and o.state = 'claimed' and o.worker = ${WORKER} and o.attempt = ${mail.attempt} and o.lease_until > now()
        and not ${suppressedCondition(app, raw('o.workspace_id'), raw('o.recipient'))}
      for update of o
    ), counted as (
      insert into account_days (account_id, day, accepted)
      select ${account.id}, ${day}, 1 from allowed where ${account.dailyLimit} > 0
      on conflict (account_id, day) do update set accepted = account_days.accepted + 1
        where account_days.accepted < ${account.dailyLimit}
      returning 1
    ), marked as (
      update outbox set state = 'transmitting', transmitting_at = ${now},
        lease_until = now() + make_interval(mins => ${TRANSMIT_LEASE_MINUTES})
      where id = (select id from allowed) and exists (select 1 from counted)
    )
    select exists (select 1 from allowed) as allowed, exists (select 1 from counted) as counted`),
  );
  if (row?.counted) return 'granted';
  if (row?.allowed) return 'limit reached';
  return whyNot(app, mail);
}

async function whyNot(app: App, mail: ClaimedMail): Promise<Permit> {
  const [row] = await app.db.query<{ mine: boolean; suppressed: boolean }>(sql`
    select o.state = 'claimed' and o.worker = ${WORKER} and o.attempt = ${mail.attempt} and o.lease_until > now() as mine,
      ${suppressedCondition(app, raw('o.workspace_id'), raw('o.recipient'))} as suppressed
    from outbox o where o.id = ${mail.id}`);
  if (!row?.mine) return 'lost';
  return row.suppressed ? 'suppressed' : 'not now';
}
