import { wakeAccount } from '../../accounts/index.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { isWaiting } from '../states/enrolment.ts';

/**
 * Wakes every account that sends for a campaign, at the given instant: its current account, and those that still serve contacts enrolled
 * before the account was changed. Indexes: campaigns_pkey, enrolments_account.
 */
export async function wakeCampaign(tx: Tx, campaignId: number, at: Date): Promise<void> {
  const accounts = await tx.query<{ id: number }>(sql`
    select a.id from campaigns c join accounts a on a.workspace_id = c.workspace_id
    where c.id = ${campaignId} and (a.id = c.account_id or exists (
      select from enrolments e
      where e.account_id = a.id and e.campaign_id = c.id and ${isWaiting('e')}))
    order by a.id`);
  for (const { id } of accounts) await wakeAccount(tx, id, at);
}

/**
 * Wakes the accounts that take over from one that is archived or deleted, whose contacts are now emailed from the accounts of their
 * campaigns. Index: enrolments_account.
 */
export async function wakeSuccessors(tx: Tx, accountId: number, at: Date): Promise<void> {
  const accounts = await tx.query<{ id: number }>(sql`
    select distinct c.account_id as id from campaigns c
    where c.account_id <> ${accountId} and c.status = 'active' and c.deleted_at is null and c.id in (
      select e.campaign_id from enrolments e
      where e.account_id = ${accountId} and ${isWaiting('e')})
    order by 1`);
  for (const { id } of accounts) await wakeAccount(tx, id, at);
}

/** Wakes the current account of an active campaign at the given instant, for contacts who were just enrolled. Index: campaigns_pkey. */
export async function wakeAccountOf(tx: Tx, campaignId: number, at: Date): Promise<void> {
  const [campaign] = await tx.query<{ account_id: number }>(
    sql`select account_id from campaigns where id = ${campaignId} and status = 'active' and not is_archived`,
  );
  if (campaign !== undefined) await wakeAccount(tx, campaign.account_id, at);
}
