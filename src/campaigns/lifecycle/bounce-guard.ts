import { daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { localDay, zoneOrUtc } from '../../core/zone.ts';
import { sql, type Tx } from '../../db/database.ts';
import { stopAccount } from './account-lifecycle.ts';

/** From this share of bounces on, of at least so many mails in so many local days, the account is paused. */
const MAX_RATE = 0.05;
const MIN_MAILS = 50;
const DAYS = 7;

/**
 * Counts a mail of an account that bounced, on the account's present local day, and pauses the account when too many of
 * its mails did: providers take a mailbox away that goes on. A resume wipes the slate clean.
 * @param isRefused the server refused it at once, so it is not among the mails that were accepted
 * @returns whether that paused the account
 */
export async function noteBounce(tx: Tx, app: App, accountId: number, isRefused: boolean): Promise<boolean> {
  const [account] = await tx.query<{ workspace_id: number; timezone: string; status: string }>(
    sql`select workspace_id, timezone, status from accounts where id = ${accountId}`,
  );
  if (account === undefined) return false;
  const today = localDay(app.clock.now(), zoneOrUtc(account.timezone));
  await tx.query(sql`
    insert into account_days (account_id, day, bounced, refused) values (${accountId}, ${today}, 1, ${isRefused ? 1 : 0})
    on conflict (account_id, day) do update set bounced = account_days.bounced + 1, refused = account_days.refused + excluded.refused`);
  // Index: account_days_pkey.
  const [week] = await tx.query<{ mails: number; bounces: number }>(sql`
    select sum(greatest(accepted + refused - forgiven_mails, 0))::int as mails, sum(greatest(bounced - forgiven_bounces, 0))::int as bounces
    from account_days where account_id = ${accountId} and day > ${today}::date - ${DAYS}::int and day <= ${today}::date`);
  const { mails = 0, bounces = 0 } = week ?? {};
  if (account.status !== 'active' || mails < MIN_MAILS || bounces / mails < MAX_RATE) return false;
  const percent = ((100 * bounces) / mails).toFixed(1);
  const message =
    `too many bounces: ${bounces} of the ${mails} mails of the last ${DAYS} days came back (${percent} %, the limit is ` +
    `${100 * MAX_RATE} %); clean the lists, then resume the account, which counts anew from there`;
  await stopAccount(tx, app, daemon(account.workspace_id), accountId, { reason: 'provider_error', message });
  return true;
}
