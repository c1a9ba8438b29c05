import { audit, daemon } from '../access/index.ts';
import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import { publish } from '../webhooks/index.ts';

interface LimitedAccount {
  id: number;
  workspaceId: number;
  /** Emails that it may send today. */
  dailyLimit: number;
}

/**
 * Records that an account's daily limit makes emails wait until its next local day, and publishes it, once for each day. The audit entry
 * marks the day as recorded. Call it with the account's batch lease, so that no other worker does the same at that time. Index:
 * audit_log_resource.
 * @param day the local day, `YYYY-MM-DD`
 */
export async function recordLimitReached(app: App, { id, workspaceId, dailyLimit }: LimitedAccount, day: string): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const recorded = await tx.query(sql`
      select from audit_log l where l.resource_type = 'account' and l.resource_id = ${id} and l.action = 'account.reach_limit'
        and l.changes->>'day' = ${day} limit 1`);
    if (recorded.length > 0) return;
    const changes = { day, daily_limit: dailyLimit };
    await audit(tx, daemon(workspaceId), now, { action: 'account.reach_limit', resourceType: 'account', resourceId: id, changes });
    await publish(
      tx,
      sql`
      select a.workspace_id, 'account.limit_reached'::text as type, null::bigint as event_id, null::int as campaign_id, null::int as contact_id,
        a.id as account_id, jsonb_build_object('account', jsonb_build_object('id', a.id, 'email', a.email) || ${JSON.stringify(changes)}::jsonb) as data,
        null::text as reply_body, ${now}::timestamptz as at
      from accounts a where a.id = ${id}`,
    );
    tx.afterCommit(async () => app.log.info({ account: id, daily_limit: dailyLimit }, 'account reached its daily limit'));
  });
}
