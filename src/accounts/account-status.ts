import { type Caller, changeRecord, differences, isLiveWorkspace } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { replyCode } from '../mail/replies/reply-code.ts';
import { type MessageType, publish } from '../webhooks/index.ts';
import { isLiveAccount } from './conditions.ts';
import { forgiveBounces } from './days.ts';
import { CONNECTED } from './failures.ts';
import { wakeAccount } from './next-batch.ts';
import { ACCOUNT } from './record.ts';
import type { AccountStatus, PauseReason } from './words.ts';

/** Status of an account. If it is not `active`, it has a reason and, if the provider caused it, the provider's message. */
export interface AccountState {
  status: AccountStatus;
  pause_reason: PauseReason | null;
  pause_message: string | null;
}

const MAX_MESSAGE = 2_000;
const VERBS: Record<AccountStatus, string> = { active: 'resume', paused: 'pause', disconnected: 'disconnect' };
const PARTICIPLES: Record<AccountStatus, string> = { active: 'resumed', paused: 'paused', disconnected: 'disconnected' };

/**
 * Sets the status of an account inside the caller's transaction, with an audit entry and a webhook message if it changes. If the account
 * becomes active, resets its failures and wakes it. Throws `not_found`.
 */
export async function setAccountStatus(tx: Tx, app: App, caller: Caller, id: number, state: AccountState): Promise<void> {
  const now = app.clock.now();
  const after = { ...state, pause_message: state.pause_message?.slice(0, MAX_MESSAGE) ?? null };
  const isActive = after.status === 'active';
  const follows = isActive ? { paused_at: null, ...CONNECTED, refusal_marks: [] } : { paused_at: now };
  const changes = await changeRecord(tx, app, caller, ACCOUNT, id, {
    verb: VERBS[after.status],
    patch: (account) => (Object.keys(differences(account, after)).length === 0 ? {} : { ...after, ...follows }),
  });
  if (changes === undefined) return;
  const code = replyCode(after.pause_message ?? '');
  const line = { account: id, ...(isActive ? {} : { reason: after.pause_reason }), ...(code === null ? {} : { code }) };
  tx.afterCommit(async () => app.log.info(line, `account ${PARTICIPLES[after.status]}`));
  if (isActive) await wakeAccount(tx, id, now);
  // No person decides that a provider's daily limit ends, so that does not forgive bounces.
  if (isActive && changes.pause_reason?.[0] !== 'provider_limit') await forgiveBounces(tx, id, now);
  if (changes.status?.includes('active')) await publishAccountChange(tx, isActive ? 'account.resumed' : 'account.paused', id, now);
}

async function publishAccountChange(tx: Tx, type: MessageType & `account.${string}`, id: number, at: Date): Promise<void> {
  await publish(
    tx,
    sql`
    select a.workspace_id, ${type}::text as type, null::bigint as event_id, null::int as campaign_id, null::int as contact_id,
      a.id as account_id, json_build_object('account', json_build_object('id', a.id, 'email', a.email, 'status', a.status,
        'pause_reason', a.pause_reason, 'pause_message', a.pause_message)) as data, null::text as reply_body, ${at}::timestamptz as at
    from accounts a where a.id = ${id}`,
  );
}

/** True if the account is active. */
export async function isAccountActive(db: Queryable, id: number): Promise<boolean> {
  const rows = await db.query(sql`select 1 from accounts where id = ${id} and status = 'active'`);
  return rows.length > 0;
}

/** Lists live accounts of live workspaces that were paused by their provider's daily limit, with the time of the pause. */
export function limitedAccounts(db: Queryable): Promise<{ id: number; workspace_id: number; timezone: string; paused_at: Date }[]> {
  return db.query(sql`
    select a.id, a.workspace_id, a.timezone, a.paused_at from accounts a
    where a.status = 'paused' and a.pause_reason = 'provider_limit' and ${isLiveAccount('a')} and ${isLiveWorkspace('a.workspace_id')}`);
}

/** Pauses every connected account as a person would, and returns a row for each: the body of a common table expression. */
export const pauseEveryAccount = (now: Date): Sql => sql`
  update accounts set status = 'paused', pause_reason = 'manual', pause_message = null, paused_at = ${now}, updated_at = ${now}
  where status <> 'disconnected' and deleted_at is null and pause_reason is distinct from 'manual' returning 1`;
