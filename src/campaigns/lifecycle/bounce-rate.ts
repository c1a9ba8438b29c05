import { daemon } from '../../access/index.ts';
import { type AccountStatus, addBounce, bouncesOf } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { percent } from '../../core/share-text.ts';
import { localDay, zoneOrUtc } from '../../core/zone.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { pauseAccountInTx } from './account-lifecycle.ts';

/** Bounce rate at which an account is paused, over the last `DAYS` local days, once at least `MIN_EMAILS` were sent. */
const MAX_RATE = 0.05;
const MIN_EMAILS = 50;
const DAYS = 7;

/**
 * Counts one bounce against the account's current local day, and pauses the account if its bounce rate is too high, because providers
 * suspend senders that carry on. Resuming the account resets the count.
 * @param isRefused true if the server refused the email during SMTP, so that it was never counted as accepted
 * @returns true if the account was paused
 */
export async function countBounce(tx: Tx, app: App, accountId: number, isRefused: boolean): Promise<boolean> {
  const [account] = await tx.query<{ workspace_id: number; timezone: string; status: AccountStatus }>(
    sql`select workspace_id, timezone, status from accounts where id = ${accountId}`,
  );
  if (account === undefined) return false;
  const today = localDay(app.clock.now(), zoneOrUtc(account.timezone));
  await addBounce(tx, accountId, today, isRefused);
  const { emails, bounces } = await bouncesOf(tx, accountId, today, DAYS);
  if (account.status !== 'active' || emails < MIN_EMAILS || bounces / emails < MAX_RATE) return false;
  const message =
    `too many bounces: ${bounces} of ${emails} emails in the last ${DAYS} days (${percent(bounces / emails)}, the limit is ` +
    `${100 * MAX_RATE}%); clean the lists, then resume the account, which resets the count`;
  await pauseAccountInTx(tx, app, daemon(account.workspace_id), accountId, { reason: 'provider_error', message });
  return true;
}
