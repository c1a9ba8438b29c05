import { canSend, countEmail } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { enrolmentIs, hasDayLimits, hasStarted, isNotHeld, isRunning } from '../../campaigns/index.ts';
import { isLiveContact, suppressedCondition } from '../../contacts/index.ts';
import { localDay } from '../../core/zone.ts';
import { prepared, raw, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { isOfSequence, isOurClaim, keepForSentFolder, lockedEmail, markTransmitting, overridesSuppression } from '../../outbox/index.ts';

/**
 * Permission to transmit an email, or why it is refused: `not now` if something is paused, held or stopped, `gone` if the contact or the
 * campaign is deleted, `lost` if the claim is no longer ours.
 */
export type Permit = 'granted' | 'limit reached' | 'gone' | 'suppressed' | 'not now' | 'lost';

/** The account that sends, with its daily limit. */
export interface PermitAccount {
  id: number;
  timezone: string;
  limitOn: (day: string) => number;
}

interface Answers {
  is_ours: boolean;
  is_gone: boolean;
  is_suppressed: boolean;
  is_allowed: boolean;
  is_counted: boolean;
}

/**
 * Checks again that a claimed email may be sent, and if so commits that it is about to be transmitted and counts it against the
 * account's daily limit, all in one statement. An email that is stopped before this commit is not sent. An answer to a reply is sent
 * whatever the state of campaign and enrolment, since a person wants it sent now.
 *
 * Each table is read by its primary key in a subquery: with joins, the planner started from the table that it estimated to be the
 * smallest. `account_days` enforces the daily limit across daemons.
 * @param message kept for the Sent folder, since after a crash nothing else has it; null if nobody files a copy
 */
export async function permitEmail(
  app: App,
  account: PermitAccount,
  { id, attempt, subject }: { id: number; attempt: number; subject: string },
  message: Buffer | null = null,
): Promise<Permit> {
  const now = app.clock.now();
  const day = localDay(now, account.timezone);
  const [answers] = await app.db.query<Answers>(
    prepared(
      'permit-email',
      sql`
    with email as (
      select o.id, o.account_id,
        not coalesce((select ${isLiveContact('t')} from contacts t where t.id = o.contact_id), false)
          or (select c.deleted_at is not null from campaigns c where c.id = o.campaign_id) as is_gone,
        (select ${suppressedCondition(app, raw('o.workspace_id'), raw('o.recipient'))}) and not ${overridesSuppression('o')} as is_suppressed,
        (select ${canSend('a')} from accounts a where a.id = o.account_id) and (not ${isOfSequence('o')} or (
          (select ${enrolmentIs('e', 'active')} and ${isNotHeld('e', now)} from enrolments e where e.id = o.enrolment_id)
          and (select ${isRunning('c')} and ${hasStarted('c', now)} and (o.counts_on is not null or not ${hasDayLimits('c')})
            from campaigns c where c.id = o.campaign_id)
          and (select s.deleted_at is null from steps s where s.id = o.step_id))) as is_open
      from ${lockedEmail(id)} o where ${isOurClaim('o', attempt, account.id)}
    ), allowed as (
      select id, account_id from email where is_open and not is_gone and not is_suppressed
    ), counted as (${countEmail('allowed', day, account.limitOn(day))}
    ), marked as (${markTransmitting('allowed', 'counted', subject, now)}
    ), kept as (${keepForSentFolder('allowed', 'counted', message)}
    )
    select exists (select from email) as is_ours, coalesce((select is_gone from email), false) as is_gone,
      coalesce((select is_suppressed from email), false) as is_suppressed,
      exists (select from allowed) as is_allowed, exists (select from counted) as is_counted`,
    ),
  );
  return permitOf(answers);
}

/**
 * Checks that a test may be sent, which is no email of the outbox, and if so counts it against the account's daily limit: by the rules
 * of `permitEmail` about the account and the recipient. Commit before the test is sent.
 */
export async function permitTest(tx: Tx, app: App, account: PermitAccount, recipient: string): Promise<Permit> {
  const day = localDay(app.clock.now(), account.timezone);
  const [answers] = await tx.query<Answers>(sql`
    with test as (
      select a.id as account_id, ${canSend('a')} as is_open,
        ${suppressedCondition(app, raw('a.workspace_id'), sql`${recipient}::text`)} as is_suppressed
      from accounts a where a.id = ${account.id}
    ), allowed as (
      select account_id from test where is_open and not is_suppressed
    ), counted as (${countEmail('allowed', day, account.limitOn(day))}
    )
    select true as is_ours, false as is_gone, coalesce((select is_suppressed from test), false) as is_suppressed,
      exists (select from allowed) as is_allowed, exists (select from counted) as is_counted`);
  return permitOf(answers);
}

function permitOf(answers: Answers | undefined): Permit {
  if (!answers?.is_ours) return 'lost';
  if (answers.is_counted) return 'granted';
  if (answers.is_allowed) return 'limit reached';
  if (answers.is_gone) return 'gone';
  return answers.is_suppressed ? 'suppressed' : 'not now';
}
