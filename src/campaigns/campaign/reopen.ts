import { audit, type Caller } from '../../access/index.ts';
import { isLiveAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { publishCampaignChange } from './publish.ts';

/**
 * Reactivates a completed campaign that has work again, if `auto_reopen` is on, the campaign is not archived, and its account is live. If
 * the account is paused, the campaign becomes active and waits for it.
 * @returns true if it was reopened
 */
export async function reopenCampaign(tx: Tx, app: App, caller: Caller, campaignId: number): Promise<boolean> {
  const now = app.clock.now();
  const reopened = await tx.query(sql`
    update campaigns c set status = 'active', updated_at = ${now} from accounts a
    where c.id = ${campaignId} and c.status = 'completed' and c.auto_reopen and not c.is_archived and c.deleted_at is null
      and a.id = c.account_id and ${isLiveAccount('a')}
    returning c.id`);
  if (reopened.length === 0) return false;
  await audit(tx, caller, now, {
    action: 'campaign.reopen',
    resourceType: 'campaign',
    resourceId: campaignId,
    changes: { status: ['completed', 'active'] },
  });
  await publishCampaignChange(tx, 'campaign.reopened', [campaignId], now);
  return true;
}
