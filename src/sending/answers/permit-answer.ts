import { canSend, countEmails } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { isLiveContact, suppressedCondition } from '../../contacts/index.ts';
import { localDay } from '../../core/zone.ts';
import { prepared, raw, sql } from '../../db/statement.ts';
import { type ClaimedAnswer, isOurClaim, keepForSentFolder, lockedEmail, markTransmitting } from '../../outbox/index.ts';
import type { SendingAccount } from '../state/account-state.ts';

export type AnswerPermit = 'granted' | 'limit reached' | 'suppressed' | 'gone' | 'not now' | 'lost';

/**
 * Checks again that an answer may be sent, and if so commits that it is about to be transmitted and counts it for the account's day, as
 * `permitEmails` does for the emails of sequences. A person wants it sent now, whatever the state of campaign and enrolment, and of the
 * windows. The message is kept with the permit, where its copy goes into the Sent folder: after a crash nothing else has it.
 */
export async function permitAnswer(
  app: App,
  account: SendingAccount,
  { id, attempt, subject }: ClaimedAnswer,
  message: Buffer,
): Promise<AnswerPermit> {
  const now = app.clock.now();
  const day = localDay(now, account.timezone);
  const suppressed = suppressedCondition(app, raw('o.workspace_id'), raw('o.recipient'));
  const [row] = await app.db.query<{
    is_ours: boolean;
    is_suppressed: boolean;
    is_gone: boolean;
    is_allowed: boolean;
    is_counted: boolean;
  }>(
    prepared(
      'permit-answer',
      sql`
    with asked as (
      select ${id}::bigint as id, ${account.id}::int as account_id, ${day}::date as day, ${account.limitOn(day)}::int as daily_limit,
        ${subject}::text as subject
    ), claimed as (
      select o.id, not w.despite_suppression and (select ${suppressed}) as is_suppressed,
        (select ${canSend('a')} from accounts a where a.id = o.account_id) as is_open,
        not exists (select from contacts t where t.id = o.contact_id and ${isLiveContact('t')})
          or exists (select from campaigns c where c.id = o.campaign_id and c.deleted_at is not null) as is_gone
      from asked r cross join lateral ${lockedEmail('r.id')} o join answers w on w.outbox_id = o.id
      where ${isOurClaim('o', sql`${attempt}`, raw('r.account_id'))}
    ), allowed as (
      select r.id, r.account_id, r.day, r.daily_limit, r.subject from asked r join claimed k on k.id = r.id and k.is_open and not k.is_gone and not k.is_suppressed
    ), counted as (${countEmails('allowed', 'asked')}
    ), marked as (${markTransmitting('allowed', 'counted', now)}
    ), kept as (${keepForSentFolder('allowed', 'counted', account.copyDelay === null ? null : message)}
    )
    select exists (select from claimed) as is_ours, coalesce((select is_suppressed from claimed), false) as is_suppressed,
      coalesce((select is_gone from claimed), false) as is_gone,
      exists (select from allowed) as is_allowed, exists (select from counted) as is_counted`,
    ),
  );
  if (row?.is_counted) return 'granted';
  if (row?.is_allowed) return 'limit reached';
  if (!row?.is_ours) return 'lost';
  if (row.is_gone) return 'gone';
  return row.is_suppressed ? 'suppressed' : 'not now';
}
