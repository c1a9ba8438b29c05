import { audit, daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { prepared, type Sql, sql, type Tx } from '../../db/database.ts';
import { announceCampaigns } from './announce.ts';

/**
 * What makes a running campaign complete: it has begun, someone was enrolled, no enrolment is active (a held one is),
 * no mail of it is on its way and no call is waiting. One that a person stopped is never completed.
 * Indexes: campaigns_active, enrolments_active, outbox_campaign_open, call_tasks_campaign.
 */
const isFinished = (now: Date): Sql => sql`c.status = 'active' and c.deleted_at is null and not c.is_archived
  and (c.starts_at is null or c.starts_at <= ${now})
  and not exists (select from enrolments e where e.campaign_id = c.id and e.status = 'active')
  and exists (select from enrolments e where e.campaign_id = c.id)
  and not exists (select from outbox o where o.campaign_id = c.id and o.closed_at is null and o.state in ('claimed', 'transmitting', 'uncertain'))
  and not exists (select from call_tasks t where t.campaign_id = c.id and t.status = 'pending')`;

/**
 * Completes those of the campaigns that have nothing left to do, each with an audit row of the daemon. Returns their
 * ids. Run after enrolments end, in the same transaction.
 */
export async function completeCampaigns(tx: Tx, app: App, campaignIds: readonly number[]): Promise<number[]> {
  if (campaignIds.length === 0) return [];
  await tx.em.flush();
  const now = app.clock.now();
  const wanted = sql`c.id = any(${[...new Set(campaignIds)]}::int[]) and ${isFinished(now)}`;
  const candidates = await tx.query<{ id: number }>(prepared(sql`select c.id from campaigns c where ${wanted}`));
  if (candidates.length === 0) return [];
  await lockCampaigns(
    tx,
    candidates.map((row) => row.id),
  );
  // Asked again under the lock, with what those who held it before have committed: an enrolment made meanwhile counts.
  const completed = await tx.query<{ id: number; workspace_id: number }>(sql`
    update campaigns c set status = 'completed', updated_at = ${now} where ${wanted} returning c.id, c.workspace_id`);
  for (const { id, workspace_id } of completed)
    await audit(tx, daemon(workspace_id), now, {
      action: 'campaign.complete',
      resourceType: 'campaign',
      resourceId: id,
      changes: { status: ['active', 'completed'] },
    });
  const ids = completed.map((row) => row.id);
  await announceCampaigns(tx, 'campaign.completed', ids, now);
  return ids;
}

/**
 * Completes every campaign that has nothing left to do. For the scheduler's tick: it catches those whose start came
 * after their last enrolment ended, and two last enrolments that ended in the same instant.
 */
export async function completeFinishedCampaigns(app: App): Promise<number[]> {
  const finished = await app.db.query<{ id: number }>(sql`select c.id from campaigns c where ${isFinished(app.clock.now())} order by c.id`);
  if (finished.length === 0) return [];
  return app.db.tx((tx) =>
    completeCampaigns(
      tx,
      app,
      finished.map((row) => row.id),
    ),
  );
}

/**
 * Serialises what counts or completes a campaign: the row of its statistics is the lock, taken in id order and before
 * the campaign's own row.
 */
export async function lockCampaigns(tx: Tx, campaignIds: readonly number[]): Promise<void> {
  await tx.query(sql`
    select 1 from campaign_stats s where s.campaign_id = any(${campaignIds}::int[]) order by s.campaign_id for no key update`);
}
