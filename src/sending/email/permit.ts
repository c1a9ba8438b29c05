import { canSend, countEmails, notePromises } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { enrolmentIs, hasDayLimits, hasStarted, isNotHeld, isRunning, type KeptContent } from '../../campaigns/index.ts';
import { isLiveContact, suppressedCondition } from '../../contacts/index.ts';
import { MicroBatcher } from '../../core/micro-batcher.ts';
import { localDay } from '../../core/zone.ts';
import { prepared, raw, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { isOurClaim, isStepEmail, keepForSentFolder, lockedEmail, markTransmitting, overridesSuppression } from '../../outbox/index.ts';

/**
 * Permission to transmit an email, or the reason for its refusal: `not now` if something is paused, held or stopped, or if the contact's
 * address has changed, so that the email must be prepared again; `gone` if the contact or the campaign is deleted; `lost` if the claim is
 * no longer ours.
 */
export type Permit = 'granted' | 'limit reached' | 'gone' | 'suppressed' | 'not now' | 'lost';

/** The account that sends, with its daily limit. */
export interface PermitAccount {
  id: number;
  timezone: string;
  limitOn: (day: string) => number;
}

/**
 * Lifts the account's daily limit for emails that users send themselves: they count for the day but are never refused for its limit,
 * because the campaigns may already have used it up.
 */
export const beyondLimit = (account: PermitAccount): PermitAccount => ({ ...account, limitOn: () => 2 ** 31 - 1 });

/** A claimed email that is about to be sent. */
export interface PermitRequest {
  account: PermitAccount;
  email: {
    id: number;
    attempt: number;
    subject: string;
    /** The sources of a step's email; null for an answer, whose text is stored itself. */
    content: KeptContent | null;
    replyAccountId: number | null;
  };
  /** Stored for the Sent folder, because after a crash it would be lost otherwise; null if no copy is filed. */
  message: Buffer | null;
}

/** The row that the statement returns for an email; it returns no row for an email whose claim is not ours. */
interface Verdict {
  is_gone: boolean;
  is_suppressed: boolean;
  is_allowed: boolean;
  is_counted: boolean;
}

/**
 * Checks again that claimed emails may be sent, and if so commits that they are about to be transmitted and counts them against the
 * daily limits of their accounts, all in one statement. An email that is stopped before this commit is not sent. An answer to a reply is
 * sent whatever the state of campaign and enrolment, because a user wants it sent now.
 *
 * Each table is read by its primary key in a subquery: with joins, the planner started from the table that it estimated to be the
 * smallest. `account_days` enforces the daily limit across daemons.
 * @param requests at most one for each account
 * @returns a permit for each request, in their order
 */
export async function permitEmails(app: App, requests: readonly PermitRequest[]): Promise<Permit[]> {
  const now = app.clock.now();
  const days = requests.map(({ account }) => localDay(now, account.timezone));
  const verdicts = await app.db.query<Verdict & { id: number }>(
    prepared(
      'permit-emails',
      sql`
    with requested as (
      select * from unnest(${requests.map(({ email }) => email.id)}::bigint[], ${requests.map(({ email }) => email.attempt)}::int[],
        ${requests.map(({ account }) => account.id)}::int[], ${days}::date[],
        ${requests.map(({ account }, index) => account.limitOn(days[index] as string))}::int[],
        ${requests.map(({ email }) => email.subject)}::text[], ${requests.map(({ email }) => email.replyAccountId)}::int[],
        ${requests.map(({ message }) => message)}::bytea[], ${requests.map(({ email }) => email.content?.key ?? null)}::text[],
        ${requests.map(({ email }) => (email.content === null ? null : JSON.stringify(email.content.values)))}::jsonb[])
        as r (id, attempt, account_id, day, daily_limit, subject, reply_account_id, message, content_key, content_values)
    ), email as (
      select r.*,
        not coalesce((select ${isLiveContact('t')} from contacts t where t.id = o.contact_id), false)
          or (select c.deleted_at is not null from campaigns c where c.id = o.campaign_id) as is_gone,
        (select ${suppressedCondition(app, raw('o.workspace_id'), raw('o.recipient'))}) and not ${overridesSuppression('o')} as is_suppressed,
        (select ${canSend('a')} from accounts a where a.id = o.account_id) and (not ${isStepEmail('o')} or (
          (select ${enrolmentIs('e', 'active')} and ${isNotHeld('e', now)} from enrolments e where e.id = o.enrolment_id)
          and (select ${isRunning('c')} and ${hasStarted('c', now)} and (o.counts_on is not null or not ${hasDayLimits('c')})
            from campaigns c where c.id = o.campaign_id)
          and (select s.deleted_at is null from steps s where s.id = o.step_id)
          and (select address_key(t.email) = address_key(o.recipient) from contacts t where t.id = o.contact_id))) as is_open
      from requested r cross join lateral ${lockedEmail('r.id')} o where ${isOurClaim('o', raw('r.attempt'), raw('r.account_id'))}
    ), allowed as (
      select * from email where is_open and not is_gone and not is_suppressed
    ), counted as (${countEmails('allowed')}
    ), marked as (${markTransmitting('allowed', 'counted', now)}
    ), promised as (${notePromises('allowed', now)}
    ), kept as (${keepForSentFolder('allowed', 'counted')}
    )
    select e.id, e.is_gone, e.is_suppressed, e.id in (select id from allowed) as is_allowed,
      e.account_id in (select account_id from counted) as is_counted
    from email e`,
    ),
  );
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return requests.map(({ email }) => permitOf(verdictOf.get(email.id)));
}

/** Groups the permits of a daemon's batches. */
export type Permits = MicroBatcher<PermitRequest, Permit>;

/**
 * Requests permits for accounts that send at the same time: requests made while one statement runs share the next one. With one statement
 * for each email, fifty mailboxes reach three quarters of bare nodemailer's rate; with shared ones, they exceed it. No permit is requested
 * ahead of time, so that a stop takes effect before the next email. If a statement fails, each batch releases its email as certainly
 * unsent.
 */
export const groupedPermits = (app: App): Permits =>
  new MicroBatcher({ work: (requests) => permitEmails(app, requests), onePer: ({ account }) => account.id });

/**
 * Checks that a test, which has no row in the outbox, may be sent, and if so counts it for the account's day. Applies the rules of
 * `permitEmails` about the account and the recipient. The caller must commit before it sends the test.
 */
export async function permitTest(tx: Tx, app: App, account: PermitAccount, recipient: string): Promise<Permit> {
  const day = localDay(app.clock.now(), account.timezone);
  const [verdict] = await tx.query<Verdict>(sql`
    with test as (
      select a.id as account_id, ${day}::date as day, ${account.limitOn(day)}::int as daily_limit, ${canSend('a')} as is_open,
        ${suppressedCondition(app, raw('a.workspace_id'), sql`${recipient}::text`)} as is_suppressed
      from accounts a where a.id = ${account.id}
    ), allowed as (
      select * from test where is_open and not is_suppressed
    ), counted as (${countEmails('allowed')}
    )
    select false as is_gone, coalesce((select is_suppressed from test), false) as is_suppressed,
      exists (select from allowed) as is_allowed, exists (select from counted) as is_counted`);
  return permitOf(verdict);
}

function permitOf(verdict: Verdict | undefined): Permit {
  if (verdict === undefined) return 'lost';
  if (verdict.is_counted) return 'granted';
  if (verdict.is_allowed) return 'limit reached';
  if (verdict.is_gone) return 'gone';
  return verdict.is_suppressed ? 'suppressed' : 'not now';
}
