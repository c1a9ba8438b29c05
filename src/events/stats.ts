import { type Caller, isAdmin, visible } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import { join, type Queryable, raw, type Sql, sql } from '../db/statement.ts';

/** Statistics of a campaign: `sent` counts emails, `steps` steps, the others contacts. */
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
 * Reads the statistics of a campaign from its counters, less the share of contacts that are hidden from the caller.
 * Throws `not_found`. Indexes: steps_live_order; contacts_hidden and events_enrolment for hidden contacts.
 */
export async function campaignStats(db: Queryable, caller: Caller, campaignId: number): Promise<CampaignStats> {
  const [row] = await db.query<CampaignStats>(sql`
    select ${seenCounts},
      (select count(*)::int from steps t where t.campaign_id = c.id and t.deleted_at is null) as steps
    from campaigns c left join campaign_stats s on s.campaign_id = c.id
    left join lateral (${hiddenCounts(caller, sql`e.campaign_id = c.id`)}) h on true
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}

const COUNTERS = ['contacts', 'sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'];

/** Counters of a campaign as columns: those of campaign_stats `s` less the `hiddenCounts` `h`; either row may be missing. */
export const seenCounts: Sql = join(COUNTERS.map((name) => raw(`coalesce(s.${name}, 0) - coalesce(h.${name}, 0) as ${name}`)));

/**
 * Selects, for each campaign that has any, the counts of enrolments whose contacts are hidden from the caller. Nothing is
 * hidden from an admin. Index: contacts_hidden.
 * @param of a condition on the enrolments `e`
 */
export function hiddenCounts(caller: Caller, of: Sql): Sql {
  if (isAdmin(caller)) return sql`select ${join(['campaign_id', ...COUNTERS].map((name) => raw(`0 as ${name}`)))} where false`;
  return sql`
    select e.campaign_id, count(*)::int as contacts, count(e.opened_at)::int as opened, count(e.clicked_at)::int as clicked,
      count(e.replied_at)::int as replied, count(e.bounced_at)::int as bounced, count(e.failed_at)::int as failed,
      coalesce(sum((select count(*) from events v where v.enrolment_id = e.id and v.type = 'sent')), 0)::int as sent
    from contacts k join enrolments e on e.contact_id = k.id and ${of}
    where k.workspace_id = ${caller.workspaceId} and not k.is_shared_to_all and k.created_by is distinct from ${caller.userId} and not exists (
        select from shares s where s.resource_type = 'contacts' and s.resource_id = k.id and s.user_id = ${caller.userId})
    group by e.campaign_id`;
}
