import { canSend, countEmails } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { enrolmentIs, hasDayLimits, hasStarted, isNotHeld, isRunning } from '../../campaigns/index.ts';
import { isLiveContact, suppressedCondition } from '../../contacts/index.ts';
import { localDay } from '../../core/zone.ts';
import { prepared, raw, sql } from '../../db/statement.ts';
import { isOurClaim, lockedEmail, markTransmitting } from '../../outbox/index.ts';
import type { ClaimedEmail } from './claim.ts';

/** Permission to transmit a claimed email, or the reason for refusing it: not now, never, or because the claim is lost. */
export type Permit = 'granted' | 'not now' | 'limit reached' | 'suppressed' | 'lost';

/** An email about to be sent, and the account whose daily limit it counts against. */
export interface PermitRequest {
  account: { id: number; timezone: string; dailyLimit: number };
  email: ClaimedEmail;
  subject: string;
}

/**
 * Checks again that an email may be sent, and if so commits that it is about to be transmitted and counts it against the
 * account's daily limit. One statement handles the next email of each of several accounts. Emails stopped before this
 * commit are not sent.
 * @param requests at most one for each account
 * @returns a permit for each request, in their order
 */
export async function permitEmails(app: App, requests: readonly PermitRequest[]): Promise<Permit[]> {
  const now = app.clock.now();
  // Subqueries in `allowed` read each table by its primary key; with joins, the planner started from the table that it
  // estimated to be the smallest. account_days enforces the daily limit across daemons.
  const rows = await app.db.query<{ id: number; allowed: boolean; counted: boolean }>(
    prepared(
      'permit-emails',
      sql`
    with asked as (
      select * from unnest(${requests.map(({ email }) => email.id)}::bigint[], ${requests.map(({ email }) => email.attempt)}::int[],
        ${requests.map(({ account }) => account.id)}::int[], ${requests.map(({ account }) => localDay(now, account.timezone))}::date[],
        ${requests.map(({ account }) => account.dailyLimit)}::int[], ${requests.map(({ subject }) => subject)}::text[])
        as r (id, attempt, account_id, day, daily_limit, subject)
    ), allowed as (
      select o.id, r.account_id, r.day, r.daily_limit, r.subject from asked r
      cross join lateral ${lockedEmail('r.id')} o
      where ${isOurClaim('o', raw('r.attempt'), raw('r.account_id'))}
        and (select ${enrolmentIs('e', 'active')} and ${isNotHeld('e', now)} from enrolments e where e.id = o.enrolment_id)
        and (select ${isRunning('c')} and ${hasStarted('c', now)} and (o.counts_on is not null or not ${hasDayLimits('c')})
          from campaigns c where c.id = o.campaign_id)
        and (select ${canSend('a')} from accounts a where a.id = o.account_id)
        and (select ${isLiveContact('t')} from contacts t where t.id = o.contact_id)
        and (select s.deleted_at is null from steps s where s.id = o.step_id)
        and not (select ${suppressedCondition(app, raw('o.workspace_id'), raw('o.recipient'))})
    ), counted as (${countEmails('allowed', 'asked')}
    ), marked as (${markTransmitting('allowed', 'counted', now)}
    )
    select r.id, r.id in (select id from allowed) as allowed,
      r.id in (select id from allowed) and r.account_id in (select account_id from counted) as counted
    from asked r`,
    ),
  );
  const answers = new Map(rows.map((row) => [row.id, row]));
  return Promise.all(
    requests.map(({ email }): Permit | Promise<Permit> => {
      const answer = answers.get(email.id);
      if (answer?.counted) return 'granted';
      return answer?.allowed ? 'limit reached' : whyNot(app, email);
    }),
  );
}

async function whyNot(app: App, email: ClaimedEmail): Promise<Permit> {
  const [row] = await app.db.query<{ mine: boolean; suppressed: boolean }>(sql`
    select ${isOurClaim('o', sql`${email.attempt}`, sql`${email.account_id}`)} as mine,
      ${suppressedCondition(app, raw('o.workspace_id'), raw('o.recipient'))} as suppressed
    from outbox o where o.id = ${email.id}`);
  if (!row?.mine) return 'lost';
  return row.suppressed ? 'suppressed' : 'not now';
}
