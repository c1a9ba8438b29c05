import { type Caller, visible } from '../../access/index.ts';
import { type AccountStatus, isLiveAccount } from '../../accounts/index.ts';
import { notFound } from '../../core/errors.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { empty, type Queryable, type Sql, sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import { campaignCounts, statsColumns } from '../../events/index.ts';
import { activeContacts } from '../enrolments/count-active.ts';
import { type CampaignStatus, campaignIs } from '../states/campaign.ts';

/** Counts of a rotation group or one of its campaigns: `sent` counts emails, the others contacts. */
interface RotationCounts {
  contacts: number;
  /** Contacts still in the sequence. */
  active: number;
  sent: number;
  opened: number;
  clicked: number;
  replied: number;
  bounced: number;
  failed: number;
}

/** A rotation group: one sequence sent from several accounts, each with a campaign of its own. Its counts are sums. */
export interface RotationRow extends RotationCounts {
  id: number;
  /** The name of its first campaign. */
  name: string;
  /** `active` if any of its campaigns is, else `paused` or `draft` if any is, else `completed`. */
  status: CampaignStatus;
  is_archived: boolean;
  campaigns: number;
  /** Number of accounts that it sends from, without those that are leaving it. */
  account_count: number;
  /** Creation time of its first campaign. */
  created_at: string;
}

/** One campaign of a group and its account. */
interface RotationMember extends RotationCounts {
  campaign_id: number;
  name: string;
  status: CampaignStatus;
  is_archived: boolean;
  /** True if it gets no new contacts and only finishes the sequence of those it has emailed. */
  is_leaving: boolean;
  account_id: number;
  account_email: string;
  account_status: AccountStatus;
}

export type Rotation = RotationRow & { members: RotationMember[] };

/** Selects the ids of the campaigns of rotation groups. */
const ofGroups = (ids: Sql): Sql => sql`select o.id from campaigns o where o.rotation_group_id in (${ids})`;

/**
 * Selects the campaigns of rotation groups that the caller can see, with their counts. Indexes: campaigns_rotation, enrolments_active.
 * @param ids a query for the ids of the groups
 */
const members = (caller: Caller, ids: Sql): Sql => sql`
  select c.rotation_group_id as group_id, c.created_at, c.id as campaign_id, c.name, c.status, c.is_archived, c.is_leaving, c.account_id,
    a.email as account_email, a.status as account_status, ${statsColumns}, coalesce(w.active, 0) as active
  from campaigns c join accounts a on a.id = c.account_id
  left join (${campaignCounts(ofGroups(ids))}) n on n.campaign_id = c.id
  left join (${activeContacts(ofGroups(ids))}) w on w.campaign_id = c.id
  where c.rotation_group_id in (${ids}) and ${visible(caller, 'campaigns', 'c')}`;

/**
 * Aggregate over the campaigns of a group that gives its status, see `RotationRow`.
 * @param member alias of the campaigns
 */
export const groupStatus = (member: string): Sql => sql`
  case when bool_or(${campaignIs(member, 'active')}) then 'active' when bool_or(${campaignIs(member, 'paused')}) then 'paused'
    when bool_or(${campaignIs(member, 'draft')}) then 'draft' else 'completed' end`;

/**
 * Selects groups with the sums of their members.
 * @param ids a query for the ids of the groups
 * @param more further columns, aggregated over members `m`
 */
const groups = (caller: Caller, ids: Sql, more = empty): Sql => sql`
  select m.group_id as id, (array_agg(m.name order by m.campaign_id))[1] as name, ${groupStatus('m')} as status,
    bool_and(m.is_archived) as is_archived, count(*)::int as campaigns,
    (count(*) filter (where not m.is_leaving))::int as account_count, ${SUMS}, ${timestamp('min(m.created_at)')} as created_at${more}
  from (${members(caller, ids)}) m group by m.group_id order by m.group_id`;

const SUMS = sql`sum(m.contacts)::int as contacts, sum(m.active)::int as active, sum(m.sent)::int as sent, sum(m.opened)::int as opened,
  sum(m.clicked)::int as clicked, sum(m.replied)::int as replied, sum(m.bounced)::int as bounced, sum(m.failed)::int as failed`;

/**
 * Lists a page of the groups with a campaign that the caller can see, by id. Indexes: campaigns_rotation, campaigns_pkey.
 * @param campaignId limits the list to the group of this campaign, if it has one
 */
export async function listRotations(db: Queryable, caller: Caller, page: PageRequest, campaignId?: number): Promise<Page<RotationRow>> {
  const only = campaignId === undefined ? undefined : await groupOf(db, caller, campaignId);
  // Most campaigns are in no group.
  if (only === null) return { data: [], pagination: { total: 0, ...page } };
  const group = only === undefined ? sql`is not null` : sql`= ${only}`;
  const total = sql`
    select count(distinct c.rotation_group_id)::int as total from campaigns c
    where c.rotation_group_id ${group} and ${visible(caller, 'campaigns', 'c')}`;
  // The page is chosen first. Otherwise the counts of every group would be added up to sort them.
  const chosen = sql`
    select c.rotation_group_id from campaigns c where c.rotation_group_id ${group} and ${visible(caller, 'campaigns', 'c')}
    group by 1 order by 1 limit ${page.limit} offset ${page.offset}`;
  const [data, [count]] = await Promise.all([db.query<RotationRow>(groups(caller, chosen)), db.query<{ total: number }>(total)]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/** Returns the id of the rotation group of a campaign; null if it has none or the caller can't see the campaign. */
async function groupOf(db: Queryable, caller: Caller, campaignId: number): Promise<number | null> {
  const [campaign] = await db.query<{ rotation_group_id: number | null }>(
    sql`select c.rotation_group_id from campaigns c where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`,
  );
  return campaign?.rotation_group_id ?? null;
}

/** Reads one group with its campaigns. Throws `not_found`. Index: campaigns_rotation. */
export async function getRotation(db: Queryable, caller: Caller, id: number): Promise<Rotation> {
  const [group] = await db.query<Rotation>(groups(caller, sql`select ${id}::int`, sql`, json_agg(m order by m.campaign_id) as members`));
  if (group === undefined) throw notFound('rotation group');
  const members = group.members as (RotationMember & { group_id: number; created_at: string })[];
  return { ...group, members: members.map(({ group_id: _group, created_at: _created, ...member }) => member) };
}

/**
 * Returns the id of the campaign that represents a group: the first that the caller may see, preferring those with a live account. Throws
 * `not_found`. Index: campaigns_rotation.
 */
export async function requireRotation(db: Queryable, caller: Caller, groupId: number): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    select c.id from campaigns c join accounts a on a.id = c.account_id
    where c.rotation_group_id = ${groupId} and ${visible(caller, 'campaigns', 'c')}
    order by (${isLiveAccount('a')}) desc, c.id limit 1`);
  if (row === undefined) throw notFound('rotation group');
  return row.id;
}
