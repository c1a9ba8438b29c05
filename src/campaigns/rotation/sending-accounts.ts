import { type Caller, visible } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';

/** The accounts that a campaign or its rotation group sends from. */
export interface SendingAccounts {
  /** Null for a campaign that sends from one account alone. */
  groupId: number | null;
  /** The campaign that gives the group its name; the campaign itself if it has no group. */
  firstId: number;
  accounts: { id: number; email: string }[];
}

/**
 * Reads the accounts of the rotation group of a campaign, without those that are leaving it, or the account of a campaign without a group.
 * Throws `not_found`. Index: campaigns_rotation.
 */
export async function sendingAccounts(db: Queryable, caller: Caller, campaignId: number): Promise<SendingAccounts> {
  const members = await db.query<{ campaign_id: number; group_id: number | null; id: number; email: string; is_leaving: boolean }>(sql`
    select m.id as campaign_id, m.rotation_group_id as group_id, m.is_leaving, a.id, a.email
    from campaigns c join campaigns m on m.id = c.id or m.rotation_group_id = c.rotation_group_id join accounts a on a.id = m.account_id
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')} and m.deleted_at is null order by m.id`);
  const [first] = members;
  if (first === undefined) throw notFound('campaign');
  return {
    groupId: first.group_id,
    firstId: first.campaign_id,
    accounts: members.filter((member) => !member.is_leaving).map(({ id, email }) => ({ id, email })),
  };
}

/**
 * Finds campaigns by name, ignoring case. Of each rotation group it finds only the first, because the others have its name with an address.
 * Index: campaigns_page.
 */
export function campaignsNamed(db: Queryable, caller: Caller, name: string): Promise<{ id: number; is_archived: boolean }[]> {
  return db.query(sql`
    select c.id, c.is_archived from campaigns c
    where ${visible(caller, 'campaigns', 'c')} and lower(c.name) = lower(${name}) and not exists (
      select from campaigns f where f.rotation_group_id = c.rotation_group_id and f.deleted_at is null and f.id < c.id)
    order by c.id`);
}
