import { type Caller, notHidden } from '../../access/index.ts';
import { type AccountStatus, canSend, type PauseReason, readBatchWait } from '../../accounts/index.ts';
import { isDue, sendsFrom } from '../../campaigns/index.ts';
import { quantity } from '../../core/english.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';

/** Text of a server without the full stops at its end, since the sentence around it has its own. */
export const unstopped = (text: string): string => text.replace(/(?<![.\s])[.\s]+$/, '');

/** The fields of an account that tell whether it may send. */
export interface AccountFacts {
  account_id: number;
  account_email: string;
  account_status: AccountStatus;
  pause_reason: PauseReason | null;
  pause_message: string | null;
  account_is_gone: boolean;
}

/** The reason that an account sends nothing, with what to do; empty if it may send. */
export function accountReasons(facts: AccountFacts): string[] {
  const account = `The account ${facts.account_email}`;
  if (facts.account_is_gone) return [`${account} is archived or deleted; choose another account for the campaign.`];
  if (facts.account_status === 'disconnected')
    return [
      `${account} is disconnected: ${unstopped(facts.pause_message ?? 'its login no longer works')}. Connect it again with: outreach account connect ${facts.account_email}`,
    ];
  if (facts.account_status !== 'paused') return [];
  if (facts.pause_reason === 'provider_limit')
    return [
      `${account} is paused until its next local day because its provider limits it: ${unstopped(facts.pause_message ?? 'no message')}.`,
    ];
  if (facts.pause_reason === 'provider_error')
    return [
      `${account} is paused: ${unstopped(facts.pause_message ?? 'its provider refused it')}. When this is fixed, resume it with: outreach account resume ${facts.account_id}`,
    ];
  return [`${account} was paused manually; resume it with: outreach account resume ${facts.account_id}`];
}

/** The reason that nothing is sent though all may be: the account waits for one of the places for batches. Empty if it does not. */
export async function placeReasons(db: Queryable, { account_id, account_email }: AccountFacts, now: Date): Promise<string[]> {
  const wait = await readBatchWait(db, account_id, now);
  if (wait === undefined) return [];
  const sending = quantity(wait.sending, 'account of this workspace is', 'accounts of this workspace are');
  return [
    `The account ${account_email} has waited for a place for ${quantity(wait.seconds, 'second')}: ${sending} sending now. If this lasts, see the log of the daemon.`,
  ];
}

/** Due contacts who wait for another account than the campaign's. */
export interface FormerAccounts {
  waiting: number;
  reasons: string[];
}

/**
 * Sentences about due contacts who wait for another account than the campaign's: whoever was emailed from an account keeps it
 * while it is live, and so waits while it is paused. Indexes: enrolments_active, accounts_pkey.
 */
export async function formerAccountReasons(db: Queryable, caller: Caller, campaignId: number, now: Date): Promise<FormerAccounts> {
  const rows = await db.query<AccountFacts & { contacts: number }>(sql`
    select a.id as account_id, a.email as account_email, a.status as account_status, a.pause_reason, a.pause_message,
      false as account_is_gone, count(*)::int as contacts
    from enrolments e join campaigns c on c.id = e.campaign_id join accounts a on a.id = ${sendsFrom('e', 'c')}
    where e.campaign_id = ${campaignId} and ${isDue('e', now)} and a.id <> c.account_id and not (${canSend('a')})
      and ${notHidden(caller, 'contacts', raw('e.contact_id'))}
    group by a.id order by a.id`);
  return {
    waiting: rows.reduce((sum, { contacts }) => sum + contacts, 0),
    reasons: rows.map(
      (row) =>
        `${quantity(row.contacts, 'contact waits', 'contacts wait')} for the account that emailed them before. ${accountReasons(row)}`,
    ),
  };
}
