import { type Caller, lockRecord, type RecordKind, scopedRecord, type Viewer, visible } from '../../access/index.ts';
import { canBePolled, isSameMailbox } from '../../accounts/index.ts';
import { notFound } from '../../core/errors.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { type RowOf, selectColumns } from '../../db/record-row.ts';
import { empty, type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { campaignCounts } from '../../events/index.ts';
import { type CampaignStatus, campaignIs } from '../states/campaign.ts';
import type { Campaign } from './entities.ts';

export const CAMPAIGN: RecordKind<Campaign> = {
  ...scopedRecord<Campaign>('Campaign', 'campaigns'),
  unaudited: ['reply_to_set_by', 'list_set_by', 'subsequences_set_by'],
};

const COLUMNS = [
  ...(['id', 'name', 'status', 'account_id', 'reply_to', 'timezone', 'sending_days', 'sending_hour_start', 'sending_hour_end'] as const),
  ...(['ab_test_enabled', 'ab_split_percent', 'sending_hour_start_b', 'sending_hour_end_b', 'starts_at'] as const),
  ...(['is_archived', 'is_shared_to_all', 'created_at', 'updated_at'] as const),
] as const;

/** A campaign as the API shows it. */
export interface CampaignRow extends RowOf<Campaign, (typeof COLUMNS)[number]> {
  account_email: string;
  /** True if the mailbox of its reply address is polled. */
  reply_to_connected: boolean;
  step_count: number;
  contact_count: number;
}

/**
 * Condition: account `account` has the campaign's effective reply address, and either has the sender's own mailbox or is visible to the
 * user who chose that address. A reply address must not open another user's mailbox.
 * @param sender alias of the campaign's sending account
 */
export const isReplyAccount = (campaign: string, sender: string, account: string): Sql => {
  const [c, s, r] = [raw(campaign), raw(sender), raw(account)];
  const setter = { userIn: `${campaign}.reply_to_set_by`, mayHaveLeft: true };
  return sql`address_key(${r}.email) = address_key(coalesce(${c}.reply_to, ${s}.email))
    and (${isSameMailbox(account, sender)} or ${visible(setter, 'accounts', account)})`;
};

/**
 * Selects the id of the account that receives a campaign's replies, or null: the workspace's live account with the
 * effective reply address, if its mailbox can be polled. Index: accounts_live_email.
 * @param campaign alias of the campaign
 * @param account alias of its sending account
 */
export const replyAccountId = (campaign: string, account: string): Sql => {
  return sql`(select r.id from accounts r where r.workspace_id = ${raw(campaign)}.workspace_id
    and ${isReplyAccount(campaign, account, 'r')} and ${canBePolled('r')})`;
};

/**
 * Selects the address for opt-out requests by email: that of the account that receives the campaign's replies, or else that of the sender.
 * Null if neither mailbox can be polled. Index: accounts_live_email.
 */
export const optOutAddress = (campaign: string, account: string): Sql => sql`coalesce(
  (select m.email from accounts m where m.id = ${replyAccountId(campaign, account)}), case when ${canBePolled(account)} then ${raw(account)}.email end)`;

/** Columns of a `CampaignRow`, to be selected from `campaignsWith`. */
export const campaignColumns: Sql = sql`${selectColumns<Campaign>('c', COLUMNS)}, a.email as account_email,
  ${replyAccountId('c', 'a')} is not null as reply_to_connected,
  (select count(*)::int from steps s where s.campaign_id = c.id and s.deleted_at is null) as step_count,
  coalesce(n.contacts, 0) as contact_count`;

/**
 * From clause: campaigns `c` with their account `a` and counts `n`.
 * @param ids a query for the ids of the campaigns to count
 */
export const campaignsWith = (ids: Sql): Sql => sql`from campaigns c join accounts a on a.id = c.account_id
  left join (${campaignCounts(ids)}) n on n.campaign_id = c.id`;

/** Reads one campaign. Throws `not_found`. Indexes: campaigns_pkey, steps_live_order. */
export async function getCampaign(db: Queryable, caller: Caller, id: number): Promise<CampaignRow> {
  const [row] = await db.query<CampaignRow>(sql`
    select ${campaignColumns} ${campaignsWith(sql`select ${id}::int`)} where c.id = ${id} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}

/** Lists a page of campaigns, ordered by id. Index: campaigns_page. */
export async function listCampaigns(
  db: Queryable,
  caller: Caller,
  filter: { archived: boolean; status?: CampaignStatus | undefined },
  page: PageRequest,
): Promise<Page<CampaignRow>> {
  const status = filter.status === undefined ? empty : sql` and c.status = ${filter.status}`;
  const condition = sql`${visible(caller, 'campaigns', 'c')} and c.is_archived = ${filter.archived}${status}`;
  const ids = sql`select c.id from campaigns c where ${condition} order by c.id limit ${page.limit} offset ${page.offset}`;
  const [data, [count]] = await Promise.all([
    db.query<CampaignRow>(sql`select ${campaignColumns} ${campaignsWith(ids)} where c.id in (${ids}) order by c.id`),
    db.query<{ total: number }>(sql`select count(*)::int as total from campaigns c where ${condition}`),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/** Counts the active campaigns that the viewer can see. Index: campaigns_active. */
export async function countActiveCampaigns(db: Queryable, viewer: Viewer): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from campaigns c where ${campaignIs('c', 'active')} and ${visible(viewer, 'campaigns', 'c')}`);
  return row?.count ?? 0;
}

/** Locks a campaign for a change and loads it as an entity. Throws `not_found`. */
export const lockCampaign = (tx: Tx, caller: Caller, id: number): Promise<Campaign> => lockRecord(tx, caller, CAMPAIGN, id);
