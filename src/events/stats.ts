import { type Caller, isAdmin, visible } from '../access/index.ts';
import { join, type Queryable, raw, type Sql, sql } from '../db.ts';
import { notFound } from '../errors.ts';

/** What a campaign has achieved: `sent` counts mails, `steps` steps, the others contacts. */
export interface CampaignStats {
  contacts: number;
  steps: number;
  sent: number;
  opened: number;
  clicked: number;
  replied: number;
  bounced: number;
  failed: number;
}

/**
 * The statistics of a campaign, from counters that every event keeps exact, less what contacts hidden from the caller
 * stand for. Throws `not_found`. Indexes: steps_live_order; contacts_hidden, events_enrolment for what is hidden.
 */
export async function campaignStats(db: Queryable, caller: Caller, campaignId: number): Promise<CampaignStats> {
  const counts = COUNTERS.map((name) => raw(`coalesce(s.${name}, 0) - h.${name} as ${name}`));
  const [row] = await db.query<CampaignStats>(sql`
    select ${join(counts)},
      (select count(*)::int from steps t where t.campaign_id = c.id and t.deleted_at is null) as steps
    from campaigns c left join campaign_stats s on s.campaign_id = c.id
    cross join lateral (${hiddenCounts(caller)}) h
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}

const COUNTERS = ['contacts', 'sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'];

/** What enrolments of campaign `c` count for whose contacts others keep to themselves; for an admin nothing is hidden. */
function hiddenCounts(caller: Caller): Sql {
  if (isAdmin(caller)) return sql`select ${join(COUNTERS.map((name) => raw(`0 as ${name}`)))}`;
  return sql`
    select count(*)::int as contacts, count(e.opened_at)::int as opened, count(e.clicked_at)::int as clicked,
      count(e.replied_at)::int as replied, count(e.bounced_at)::int as bounced, count(e.failed_at)::int as failed,
      coalesce(sum((select count(*) from events v where v.enrolment_id = e.id and v.type = 'sent')), 0)::int as sent
    from contacts k join enrolments e on e.contact_id = k.id and e.campaign_id = c.id
    where not k.is_shared_to_all and k.created_by is distinct from ${caller.userId} and not exists (
        select from shares s where s.resource_type = 'contacts' and s.resource_id = k.id and s.user_id = ${caller.userId})`;
}
