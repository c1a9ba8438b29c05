import { wakeAccount } from '../../accounts/index.ts';
import { sql, type Tx } from '../../db/database.ts';

/**
 * Has the next batch of every mailbox that writes for a campaign considered at that instant: its own account, and those
 * that contacts began with before the campaign was given another. Indexes: campaigns_pkey, enrolments_account.
 */
export async function wakeCampaign(tx: Tx, campaignId: number, at: Date): Promise<void> {
  await tx.em.flush();
  const accounts = await tx.query<{ id: number }>(sql`
    select a.id from campaigns c join accounts a on a.workspace_id = c.workspace_id
    where c.id = ${campaignId} and (a.id = c.account_id or exists (
      select from enrolments e
      where e.account_id = a.id and e.campaign_id = c.id and e.status = 'active' and e.due_at is not null))
    order by a.id`);
  for (const { id } of accounts) await wakeAccount(tx, id, at);
}

/**
 * The same for the accounts that take over from one that is archived or deleted: contacts it wrote to are written to
 * from the accounts of their campaigns now. Index: enrolments_account.
 */
export async function wakeSuccessors(tx: Tx, accountId: number, at: Date): Promise<void> {
  const accounts = await tx.query<{ id: number }>(sql`
    select distinct c.account_id as id from campaigns c
    where c.account_id <> ${accountId} and c.status = 'active' and c.deleted_at is null and c.id in (
      select e.campaign_id from enrolments e
      where e.account_id = ${accountId} and e.status = 'active' and e.due_at is not null)
    order by 1`);
  for (const { id } of accounts) await wakeAccount(tx, id, at);
}
