import { type Caller, visible } from '../../access/index.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { empty, type Queryable, type Sql, sql } from '../../db/statement.ts';
import { campaignCounts } from '../../events/index.ts';
import { type CampaignRow, campaignColumns, campaignsWith } from '../campaign/read-campaign.ts';
import type { CampaignStatus } from '../states/campaign.ts';
import { groupStatus } from './read-rotations.ts';

/** A campaign that is in no rotation group, or the first one of a group with the status and the contacts of the whole group. */
export interface GroupedCampaign extends CampaignRow {
  /** Null for a campaign in no group. */
  rotation_id: number | null;
  /** Number of accounts that it sends from, without those that are leaving the group. */
  account_count: number;
}

type Row = GroupedCampaign & { group_status: CampaignStatus | null; group_contacts: number | null };

/**
 * Lists a page of campaigns by id, each rotation group as its first campaign that the caller can see.
 * Indexes: campaigns_page, campaigns_rotation.
 */
export async function listGroupedCampaigns(
  db: Queryable,
  caller: Caller,
  { archived, status }: { archived: boolean; status?: CampaignStatus | undefined },
  page: PageRequest,
): Promise<Page<GroupedCampaign>> {
  const ofStatus = status === undefined ? empty : sql` and coalesce(g.group_status, c.status) = ${status}`;
  const from = sql`campaigns c ${status === undefined ? empty : group(caller)} where ${isFirst(caller, archived)}${ofStatus}`;
  // The page is chosen first. Otherwise PostgreSQL would count the contacts of all campaigns that the offset skips.
  const chosen = sql`select c.id from ${from} order by c.id limit ${page.limit} offset ${page.offset}`;
  const rows = sql`
    select ${campaignColumns}, c.rotation_group_id as rotation_id, coalesce(g.accounts, 1) as account_count, g.group_status,
      k.contacts as group_contacts
    ${campaignsWith(chosen)} ${group(caller)}
    left join (${contactsOfGroups(caller, chosen)}) k on k.rotation_group_id = c.rotation_group_id
    where c.id in (${chosen}) order by c.id`;
  const [data, [count]] = await Promise.all([
    db.query<Row>(rows),
    db.query<{ total: number }>(sql`select count(*)::int as total from ${from}`),
  ]);
  const grouped = data.map(({ group_status, group_contacts, ...row }) => ({
    ...row,
    status: group_status ?? row.status,
    contact_count: group_contacts ?? row.contact_count,
  }));
  return { data: grouped, pagination: { total: count?.total ?? 0, ...page } };
}

/** Lateral join of the group `g` of campaign `c`, as the caller sees it; a row of nulls for a campaign without one. */
const group = (caller: Caller): Sql => sql`
  left join lateral (
    select ${groupStatus('m')} as group_status, (count(*) filter (where not m.is_leaving))::int as accounts
    from campaigns m where m.rotation_group_id = c.rotation_group_id and ${visible(caller, 'campaigns', 'm')}
  ) g on c.rotation_group_id is not null`;

/** Selects `rotation_group_id` and `contacts` of the groups that these campaigns are in. */
function contactsOfGroups(caller: Caller, campaigns: Sql): Sql {
  const members = sql`
    select m.id, m.rotation_group_id from campaigns m
    where m.rotation_group_id in (select f.rotation_group_id from campaigns f where f.id in (${campaigns})) and ${visible(caller, 'campaigns', 'm')}`;
  return sql`
    select m.rotation_group_id, sum(n.contacts)::int as contacts
    from (${members}) m join (${campaignCounts(sql`select i.id from (${members}) i`)}) n on n.campaign_id = m.id group by 1`;
}

const isFirst = (caller: Caller, archived: boolean): Sql => sql`
  ${visible(caller, 'campaigns', 'c')} and c.is_archived = ${archived} and not exists (
    select from campaigns f where f.rotation_group_id = c.rotation_group_id and f.id < c.id and f.is_archived = ${archived}
      and ${visible(caller, 'campaigns', 'f')})`;
