import { audit, daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { empty, prepared, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { isPending } from '../../outbox/index.ts';
import { callIs } from '../states/call.ts';
import { hasStarted, isRunning } from '../states/campaign.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import { lockCampaigns } from './lock-campaigns.ts';
import { publishCampaignChange } from './publish.ts';

/** Subquery: true if campaign `c` has an active enrolment that also meets the conditions in `more`, otherwise null. */
const anyActive = (more: Sql = empty): Sql =>
  sql`(select true from enrolments e where e.campaign_id = c.id and ${enrolmentIs('e', 'active')} ${more} limit 1)`;

/**
 * Condition: an active campaign is finished. It has started, at least one contact was enrolled, no enrolment is active (held ones count as
 * active), no email is in flight or uncertain, and no call is pending. A paused campaign never completes.
 * Each condition looks up one row in an index of the campaign's rows. PostgreSQL would turn `not exists` into a join, and a plan made while
 * the tables were empty then reads their whole index for each campaign, which takes half a millisecond per email.
 * Due enrolments are looked up first, in the order of their index. The index of all active enrolments keeps equal entries together, so a
 * scan skips the entries of ended enrolments and of old row versions one by one. Indexes: campaigns_active, enrolments_active,
 * outbox_campaign_open, call_tasks_campaign.
 */
const isFinished = (now: Date): Sql => sql`${isRunning('c')} and ${hasStarted('c', now)}
  and coalesce(${anyActive(sql`and e.due_at is not null order by e.last_sent_step > 0 desc`)}, ${anyActive()}) is null
  and (select true from enrolments e where e.campaign_id = c.id limit 1)
  and (select true from outbox o where o.campaign_id = c.id and ${isPending('o')} limit 1) is null
  and (select true from call_tasks t where t.campaign_id = c.id and ${callIs('t', 'pending')} limit 1) is null`;

/**
 * Completes those of the given campaigns that are finished, each with an audit entry. Call it after enrolments end, in the same
 * transaction.
 * @returns the ids of the completed campaigns
 */
export async function completeCampaigns(tx: Tx, app: App, campaignIds: readonly number[]): Promise<number[]> {
  if (campaignIds.length === 0) return [];
  const now = app.clock.now();
  const wanted = sql`c.id = any(${[...new Set(campaignIds)]}::int[]) and ${isFinished(now)}`;
  const candidates = await tx.query<{ id: number }>(prepared('campaigns-to-complete', sql`select c.id from campaigns c where ${wanted}`));
  if (candidates.length === 0) return [];
  await lockCampaigns(
    tx,
    candidates.map((row) => row.id),
  );
  // Checked again under the lock: an earlier holder may have committed a new enrolment, which keeps the campaign running.
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
  await publishCampaignChange(tx, 'campaign.completed', ids, now);
  return ids;
}

/**
 * Completes every finished campaign. The scheduler runs it to catch a campaign whose start time came after its last enrolment ended, and
 * one whose last two enrolments ended at the same instant.
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
