import { type Caller, notHidden } from '../../access/index.ts';
import { type AccountStatus, canSend, type PauseReason, readBatchWait } from '../../accounts/index.ts';
import { isDue, sendsFrom } from '../../campaigns/index.ts';
import { quantity, withoutFullStop } from '../../core/english.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';

/** The fields of an account that decide if it may send. */
export interface AccountFacts {
  account_id: number;
  account_email: string;
  account_status: AccountStatus;
  pause_reason: PauseReason | null;
  pause_message: string | null;
  account_is_gone: boolean;
}

/** Why an account sends nothing. All but the last need action by a user; the last resolves itself. */
const CAUSES = ['gone', 'disconnected', 'provider_error', 'manual', 'provider_limit'] as const;
type Cause = (typeof CAUSES)[number];

function causeOf({ account_is_gone, account_status, pause_reason }: AccountFacts): Cause | null {
  if (account_is_gone) return 'gone';
  if (account_status === 'disconnected') return 'disconnected';
  return account_status === 'paused' ? (pause_reason ?? 'manual') : null;
}

/** Returns true for an account that may not send. */
export const isStopped = (facts: AccountFacts): boolean => causeOf(facts) !== null;

/**
 * Explains why accounts send nothing and what to do, with the reasons that need action by a user first. Accounts with the same reason share
 * one sentence. Empty if all may send.
 */
export function accountReasons(accounts: readonly AccountFacts[]): string[] {
  const unique = [...new Map(accounts.map((facts) => [facts.account_id, facts])).values()];
  const alike = Map.groupBy(unique, (facts) => `${causeOf(facts)} ${facts.pause_message ?? ''}`);
  return CAUSES.flatMap((cause) =>
    [...alike.values()].filter(([first]) => first !== undefined && causeOf(first) === cause).map((own) => reasonOf(cause, own)),
  );
}

function reasonOf(cause: Cause, accounts: readonly AccountFacts[]): string {
  const emails = accounts.map(({ account_email }) => account_email);
  const ids = accounts.map(({ account_id }) => account_id).join(' ');
  const [first] = accounts;
  const words = first?.pause_message == null ? null : withoutFullStop(first.pause_message);
  const isOne = accounts.length === 1;
  const subject = isOne ? `The account ${emails[0]}` : `The accounts ${emails.slice(0, -1).join(', ')} and ${emails.at(-1)}`;
  const [is, it, its] = isOne ? ['is', 'it', 'its'] : ['are', 'them', 'their'];
  switch (cause) {
    case 'gone':
      return `${subject} ${is} archived or deleted; choose ${isOne ? 'another account' : 'other accounts'} for the campaign.`;
    case 'disconnected':
      return `${subject} ${is} disconnected: ${words ?? `${its} login no longer works`}. Connect ${isOne ? 'it' : 'each'} again with: outreach account connect ${isOne ? emails[0] : 'ADDRESS'}`;
    case 'provider_error':
      return `${subject} ${is} paused: ${words ?? `${its} provider refused ${it}`}. When this is fixed, resume ${it} with: outreach account resume ${ids}`;
    case 'manual':
      return `${subject} ${isOne ? 'was' : 'were'} paused manually; resume ${it} with: outreach account resume ${ids}`;
    case 'provider_limit':
      return `${subject} ${is} paused until ${its} next local day because ${its} provider limits ${it}: ${words ?? 'no message'}.`;
  }
}

/** Explains that the account may send but waits for one of the places for batches. Empty if it does not wait. */
export async function placeReasons(db: Queryable, { account_id, account_email }: AccountFacts, now: Date): Promise<string[]> {
  const wait = await readBatchWait(db, account_id, now);
  if (wait === undefined) return [];
  const sending = quantity(wait.sending, 'account of this workspace is', 'accounts of this workspace are');
  return [
    `The account ${account_email} has waited for a place for ${quantity(wait.seconds, 'second')}: ${sending} sending now. If this lasts, see the log of the daemon.`,
  ];
}

/** Due contacts who wait for an account other than the campaign's. */
export interface FormerAccounts {
  waiting: number;
  reasons: string[];
}

/**
 * Describes due contacts who wait for an account other than the campaign's: contacts keep the account that emailed them as long as it is
 * live, so they wait while it is paused. Indexes: enrolments_active, accounts_pkey.
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
        `${quantity(row.contacts, 'contact waits', 'contacts wait')} for the account that emailed them before. ${accountReasons([row]).join(' ')}`,
    ),
  };
}
