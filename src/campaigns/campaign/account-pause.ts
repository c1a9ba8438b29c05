import { audit, type Caller } from '../../access/index.ts';
import { wakeAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { publishCampaignChange } from './publish.ts';
import { wakeCampaign } from './wake.ts';

/** Pauses the active campaigns of an account and marks them, so that `resumeCampaignsOf` resumes exactly those. Index: campaigns_account. */
export async function pauseCampaignsOf(tx: Tx, app: App, caller: Caller, accountId: number): Promise<void> {
  const now = app.clock.now();
  const paused = await tx.query<{ id: number; workspace_id: number }>(sql`
    with active as (
      select id from campaigns where account_id = ${accountId} and status = 'active' and deleted_at is null order by id for no key update)
    update campaigns c set status = 'paused', paused_by_account = true, updated_at = ${now} from active a where c.id = a.id
    returning c.id, c.workspace_id`);
  for (const row of paused)
    await audit(tx, { ...caller, workspaceId: row.workspace_id }, now, {
      action: 'campaign.pause',
      resourceType: 'campaign',
      resourceId: row.id,
      changes: { status: ['active', 'paused'], account_id: accountId },
    });
  await publishCampaignChange(tx, 'campaign.paused', idsOf(paused), now);
}

const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id);

/** Resumes the campaigns that `pauseCampaignsOf` paused, and wakes the account. Index: campaigns_account. */
export async function resumeCampaignsOf(tx: Tx, app: App, caller: Caller, accountId: number): Promise<void> {
  const now = app.clock.now();
  const resumed = await tx.query<{ id: number; workspace_id: number }>(sql`
    with paused as (
      select id from campaigns
      where account_id = ${accountId} and status = 'paused' and paused_by_account and not is_archived and deleted_at is null
      order by id for no key update)
    update campaigns c set status = 'active', paused_by_account = false, updated_at = ${now} from paused p where c.id = p.id
    returning c.id, c.workspace_id`);
  for (const row of resumed) {
    await audit(tx, { ...caller, workspaceId: row.workspace_id }, now, {
      action: 'campaign.activate',
      resourceType: 'campaign',
      resourceId: row.id,
      changes: { status: ['paused', 'active'], account_id: accountId },
    });
    await wakeCampaign(tx, row.id, now);
  }
  await publishCampaignChange(tx, 'campaign.activated', idsOf(resumed), now);
  await wakeAccount(tx, accountId, now);
}

/** Body of a common table expression that pauses every active campaign as if its account had been paused, and returns a row for each. */
export const pauseEveryCampaign = (now: Date): Sql => sql`
  update campaigns set status = 'paused', paused_by_account = true, updated_at = ${now}
  where status = 'active' and deleted_at is null returning 1`;
