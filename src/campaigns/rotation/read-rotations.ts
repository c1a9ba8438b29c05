import { type Caller, visible } from '../../access/index.ts';
import type { AccountStatus } from '../../accounts/index.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import type { CampaignStatus } from '../states/campaign.ts';
import { enrolmentIs } from '../states/enrolment.ts';

/** A rotation group: one sequence sent from several accounts, each with a campaign of its own. */
export interface RotationRow {
  id: number;
  /** The name of its first campaign. */
  name: string;
  campaigns: number;
  contacts: number;
  created_at: string;
}

/** One campaign of a group and its account. */
export interface RotationMember {
  campaign_id: number;
  name: string;
  status: CampaignStatus;
  is_archived: boolean;
  account_id: number;
  account_email: string;
  account_status: AccountStatus;
  contacts: number;
  /** Contacts still in the sequence. */
  active: number;
  sent: number;
}

export type Rotation = RotationRow & { members: RotationMember[] };

/** Lists the groups with a campaign that the caller can see, by id. Index: campaigns_rotation. */
export function listRotations(db: Queryable, caller: Caller): Promise<RotationRow[]> {
  return db.query<RotationRow>(sql`
    select g.id, (array_agg(c.name order by c.id))[1] as name, count(*)::int as campaigns, sum(s.contacts)::int as contacts,
      ${timestamp('g.created_at')} as created_at
    from rotation_groups g join campaigns c on c.rotation_group_id = g.id and ${visible(caller, 'campaigns', 'c')}
    join campaign_stats s on s.campaign_id = c.id
    group by g.id order by g.id`);
}

/** Reads one group with its campaigns. Throws `not_found`. Index: campaigns_rotation. */
export async function getRotation(db: Queryable, caller: Caller, id: number): Promise<Rotation> {
  const group = (await listRotations(db, caller)).find((row) => row.id === id);
  if (group === undefined) throw notFound('rotation group');
  const members = await db.query<RotationMember>(sql`
    select c.id as campaign_id, c.name, c.status, c.is_archived, c.account_id, a.email as account_email, a.status as account_status,
      s.contacts, (select count(*)::int from enrolments e where e.campaign_id = c.id and ${enrolmentIs('e', 'active')}) as active, s.sent
    from campaigns c join accounts a on a.id = c.account_id join campaign_stats s on s.campaign_id = c.id
    where c.rotation_group_id = ${id} and ${visible(caller, 'campaigns', 'c')} order by c.id`);
  return { ...group, members };
}
