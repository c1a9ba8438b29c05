import { type Caller, isAdmin } from '../access/index.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';

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
    from contacts k join enrolments e on e.contact_id = k.id and ${of} where ${isHidden(caller)} group by e.campaign_id`;
}

/** Condition: contact `k` is hidden from the caller, who is no admin. Index: contacts_hidden. */
export const isHidden = (caller: Caller): Sql => sql`
  k.workspace_id = ${caller.workspaceId} and not k.is_shared_to_all and k.created_by is distinct from ${caller.userId} and not exists (
    select from shares s where s.resource_type = 'contacts' and s.resource_id = k.id and s.user_id = ${caller.userId})`;
