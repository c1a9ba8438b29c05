import { isEnabledMember } from '../access/index.ts';
import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import { disableWebhook } from './record-attempts.ts';

/**
 * Disables webhooks whose creator was disabled or has left the workspace. Nothing is published to them any more, and this records the
 * reason. Returns how many.
 */
export async function retireWebhooks(app: App): Promise<number> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    const orphans = await tx.query<{ id: number; workspace_id: number }>(sql`
      select w.id, w.workspace_id from webhooks w
      where w.deleted_at is null and w.is_enabled and w.created_by is not null
        and not ${isEnabledMember('w.workspace_id', 'w.created_by')}
      order by w.id for no key update of w`);
    for (const webhook of orphans) await disableWebhook(tx, app, webhook, 'its creator was disabled', now);
    return orphans.length;
  });
}
