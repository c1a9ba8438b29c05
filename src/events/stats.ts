import { type Caller, isAdmin } from '../access/index.ts';
import { othersBlocks, sharedContacts } from '../contacts/index.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';

/** The counters of a campaign, and what each counts in `campaign_counts` or `event_blocks`. */
const COUNTED = {
  contacts: 'enrolment',
  sent: 'sent',
  opened: 'opened',
  clicked: 'clicked',
  replied: 'replied',
  bounced: 'bounced',
  failed: 'failed',
} as const;
const COUNTERS = Object.keys(COUNTED) as readonly (keyof typeof COUNTED)[];

/** Counters of a campaign as columns: those of campaign_stats `s` less the `hiddenCounts` `h`; either row may be missing. */
export const seenCounts: Sql = join(COUNTERS.map((name) => raw(`coalesce(s.${name}, 0) - coalesce(h.${name}, 0) as ${name}`)));

/**
 * Selects, for each campaign that has any, the counts of enrolments whose contacts are hidden from the caller. Nothing is hidden from an
 * admin. Enrolments and emails are counted by who can see the contact, and the others are in sets of contacts. `apart` are few.
 * Indexes: campaign_counts_pkey, contact_blocks_pkey, event_blocks_pkey, enrolments_contact, events_enrolment.
 * @param campaigns a query for the ids of campaigns
 */
export function hiddenCounts(caller: Caller, campaigns: Sql): Sql {
  if (isAdmin(caller)) return sql`select ${join(['campaign_id', ...COUNTERS].map((name) => raw(`0 as ${name}`)))} where false`;
  return sql`
    with others as materialized (${othersBlocks(caller)})
    select t.campaign_id, ${SUMS} from (
      select n.campaign_id, n.what, n.count from campaign_counts n
      where n.campaign_id in (${campaigns}) and n.what in ('enrolment', 'sent') and n.audience not in (0, ${caller.userId})
      union all
      select b.campaign_id, b.what, bit_count(b.contacts & o.contacts) from event_blocks b join others o on o.block = b.block
      where b.campaign_id in (${campaigns}) and b.what in ('opened', 'clicked', 'replied', 'bounced', 'failed')
      union all
      select e.campaign_id, v.what, k.factor * v.count from (${apart(caller)}) k
      join enrolments e on e.contact_id = k.id and e.campaign_id in (${campaigns})
      cross join lateral (values ('enrolment', 1), ('opened', (e.opened_at is not null)::int), ('clicked', (e.clicked_at is not null)::int),
        ('replied', (e.replied_at is not null)::int), ('bounced', (e.bounced_at is not null)::int), ('failed', (e.failed_at is not null)::int),
        ('sent', (select count(*) from events v where v.enrolment_id = e.id and v.type = 'sent'))) v (what, count)
    ) t group by t.campaign_id`;
}

const SUMS = join(COUNTERS.map((name) => raw(`coalesce(sum(t.count) filter (where t.what = '${COUNTED[name]}'), 0)::int as ${name}`)));

/**
 * Selects `id` and `factor` of contacts that the counters by who can see them get wrong: private ones of others that were shared with the
 * caller are not hidden (-1), and deleted ones that are hidden have no counter (1). Indexes: shares_user, contacts_deleted_private.
 */
const apart = (caller: Caller): Sql => sql`
  select k.id, -1 as factor from (${sharedContacts(caller)}) k where k.workspace_id = ${caller.workspaceId} and k.deleted_at is null
  union all
  select k.id, 1 from contacts k where k.deleted_at is not null and ${isHidden(caller)}`;

/** Condition: contact `k` is hidden from the caller, who is no admin. Index: contacts_hidden. */
export const isHidden = (caller: Caller): Sql => sql`
  k.workspace_id = ${caller.workspaceId} and not k.is_shared_to_all and k.created_by is distinct from ${caller.userId} and not exists (
    select from shares s where s.resource_type = 'contacts' and s.resource_id = k.id and s.user_id = ${caller.userId})`;
