import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/**
 * Locks campaigns in the order of their ids, so that no other transaction can enrol contacts into them, distribute their contacts, or
 * complete or change them. Lock enrolments before campaigns.
 */
export async function lockCampaigns(tx: Tx, campaignIds: readonly number[]): Promise<void> {
  await tx.query(sql`select 1 from campaigns c where c.id = any(${campaignIds}::int[]) order by c.id for no key update`);
}
