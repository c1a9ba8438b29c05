import { audit, type Caller, getUser, isAdmin, requireAdmin, requireVisible, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { nextMonday, REPORT_MINUTE } from './next-time.ts';
import { requireSystemEmail, zoneOfWorkspace } from './set-summary.ts';

/** A report that a user gets by email each Monday at 8:00. */
export interface WeeklyReport {
  user_id: number;
  email: string;
  /** Null for the report on all campaigns. */
  campaign_id: number | null;
  campaign_name: string | null;
  /** The workspace's time zone when the report was set up. */
  timezone: string;
  next_at: string;
}

/** Lists the weekly reports of the workspace. Admins see all of them, other users only their own. */
export const listWeeklyReports = (db: Queryable, caller: Caller): Promise<WeeklyReport[]> =>
  db.query<WeeklyReport>(sql`
    select s.user_id, u.email, s.campaign_id, c.name as campaign_name, s.timezone, ${timestamp('s.next_at')} as next_at
    from scheduled_emails s join users u on u.id = s.user_id left join campaigns c on c.id = s.campaign_id and ${visible(caller, 'campaigns', 'c')}
    where s.workspace_id = ${caller.workspaceId} and s.kind = 'weekly_report' and (${isAdmin(caller)} or s.user_id = ${caller.userId})
    order by s.id`);

/**
 * Switches a weekly report on or off for a member of the caller's workspace, on one campaign or on all. The report shows what that member
 * may see. Only admins may set it for others. Throws `forbidden`, `not_found`, and `conflict` if the installation can't send email.
 */
export async function setWeeklyReport(
  app: App,
  caller: Caller,
  { userId, campaignId, isOn }: { userId: number; campaignId: number | null; isOn: boolean },
): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    if (userId !== caller.userId) requireAdmin(caller);
    await getUser(tx, caller, userId);
    if (isOn && campaignId !== null) await requireVisible(tx, caller, 'campaigns', campaignId);
    if (isOn) requireSystemEmail(app);
    const zone = await zoneOfWorkspace(tx, caller);
    const changed = isOn
      ? await tx.query(sql`
          insert into scheduled_emails (workspace_id, user_id, kind, campaign_id, at_minute, timezone, next_at)
          values (${caller.workspaceId}, ${userId}, 'weekly_report', ${campaignId}, ${REPORT_MINUTE}, ${zone}, ${nextMonday(now, zone)})
          on conflict (workspace_id, user_id, kind, campaign_id) do nothing returning id`)
      : await tx.query(sql`
          delete from scheduled_emails where workspace_id = ${caller.workspaceId} and user_id = ${userId} and kind = 'weekly_report'
            and campaign_id is not distinct from ${campaignId}::int returning id`);
    if (changed.length === 0) return;
    const changes = { weekly_report: [!isOn, isOn], ...(campaignId !== null && { campaign_id: campaignId }) };
    await audit(tx, caller, now, { action: 'user.set_weekly_report', resourceType: 'user', resourceId: userId, changes });
  });
}
