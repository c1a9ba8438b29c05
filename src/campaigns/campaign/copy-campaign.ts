import { accountIs } from '../../accounts/index.ts';
import { raw, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { optionNames } from '../../fields/option.ts';
import { CAMPAIGN_OPTIONS } from '../options/campaign-options.ts';
import type { Campaign } from './entities.ts';

/** Columns copied to each campaign of the group. Each has its own name, account, status and times. */
const COPIED_COLUMNS = [
  ...['workspace_id', 'reply_to', 'reply_to_set_by', 'timezone', 'sending_days', 'sending_hour_start', 'sending_hour_end', 'starts_at'],
  ...['ab_test_enabled', 'ab_split_percent', 'sending_hour_start_b', 'sending_hour_end_b'],
  ...optionNames(CAMPAIGN_OPTIONS),
  ...['rotation_group_id', 'list_set_by', 'subsequences_set_by', 'is_shared_to_all', 'created_by'],
];

/** Makes a locked campaign the first of a rotation group, whose id is that of the campaign. */
export function beginRotation(campaign: Campaign, now: Date): void {
  Object.assign(campaign, { rotation_group_id: campaign.id, updated_at: now });
}

/**
 * Copies the row of a campaign once for each account and adds the account's address to the name. Copies of an active campaign are active; a
 * copy whose account is paused becomes active when the account resumes. Returns the ids of the copies.
 */
export async function copyCampaignRow(
  tx: Tx,
  { id: campaignId, name }: { id: number; name: string },
  accountIds: readonly number[],
  now: Date,
): Promise<number[]> {
  const isRunning = sql`(c.status = 'active' or c.paused_by_account)`;
  const copies = await tx.query<{ id: number }>(sql`
    insert into campaigns (${raw(COPIED_COLUMNS.join(', '))}, name, account_id, status, paused_by_account, created_at, updated_at)
    select ${raw(COPIED_COLUMNS.map((column) => `c.${column}`).join(', '))}, left(${name}::text || ' (' || a.email || ')', 255), a.id,
      case when not ${isRunning} then c.status when ${accountIs('a', 'active')} then 'active' else 'paused' end,
      ${isRunning} and not ${accountIs('a', 'active')}, ${now}::timestamptz, ${now}::timestamptz
    from campaigns c join accounts a on a.id = any(${accountIds}::int[]) where c.id = ${campaignId} order by a.id returning id`);
  return copies.map((copy) => copy.id);
}
