import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/**
 * Locks campaigns, in the order of their ids, against whoever enrols into them, distributes their contacts, completes or changes them.
 * Enrolments are locked before campaigns.
 */
export async function lockCampaigns(tx: Tx, campaignIds: readonly number[]): Promise<void> {
  await tx.query(sql`select 1 from campaigns c where c.id = any(${campaignIds}::int[]) order by c.id for no key update`);
}
