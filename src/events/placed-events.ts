import { type Sql, sql } from '../db/statement.ts';
import { isOfSequence } from '../outbox/index.ts';
import { audienceOf, measured } from './measures.ts';

/** The event that the row of `happened` is the first of its kind in, as far as the enrolment knows. */
const isFirstOfContact = sql`case h.type
  when 'sent' then s.first_step is null when 'opened' then k.opened_at is null when 'clicked' then k.clicked_at is null
  when 'replied' then k.replied_at is null when 'bounced' then k.bounced_at is null when 'failed' then k.failed_at is null
  when 'unsubscribed' then k.unsubscribed_at is null else false end`;

/** Steps of this enrolment sent by events that are logged together with this one, and before it. */
const sentTogether = sql`array_agg(h.step_order) filter (where h.type = 'sent')
  over (partition by h.enrolment_id order by h.position rows between unbounded preceding and 1 preceding)`;

/**
 * CTEs that give the events of `happened` the attributes that they are counted by: `placed` has all, `measured` those that count, by the
 * rules of `happenings`. Needs `known`, the enrolments as they stand, and `counted`, whose campaigns are locked for counting.
 * Indexes: outbox_enrolment_id_step_id_key, events_enrolment, contacts_pkey.
 */
export const placedEvents: Sql = sql`
  placed as materialized (
    select h.*, coalesce(s.day, day_in_zone(h.at, c.timezone)) as day, s.day is not null as was_sent_before,
      coalesce(o.variant, case when o.id is null then (select e.variant from enrolments e where e.id = h.enrolment_id) end, '') as variant,
      coalesce(o.account_id, (select e.account_id from enrolments e where e.id = h.enrolment_id), c.account_id) as account_id,
      lower(split_part(coalesce(o.recipient, (select t.email from contacts t where t.id = h.contact_id)), '@', -1)) as domain,
      ${audienceOf(sql`h.contact_id`)} as audience,
      ${isFirstOfContact} and row_number() over (partition by h.enrolment_id, h.type order by h.position) = 1 as is_first_of_contact,
      row_number() over (partition by h.enrolment_id, h.type, h.step_order order by h.position) = 1
        and not (h.type in ('opened', 'clicked', 'bounced') and exists (
          select from events p where p.enrolment_id = h.enrolment_id and p.type = h.type and p.step_order = h.step_order)) as is_first_of_email,
      s.first_step, ${sentTogether} as sent_together
    from happened h join campaigns c on c.id = h.campaign_id
    left join known k on k.id = h.enrolment_id
    left join lateral (
      select o.id, o.variant, o.account_id, o.recipient from outbox o
      where o.enrolment_id = h.enrolment_id and o.step_order = h.step_order and ${isOfSequence('o')} order by o.id desc limit 1) o on true
    left join lateral (
      select (array_agg(p.step_order order by p.id))[1] as first_step,
        (array_agg(coalesce(p.day, day_in_zone(p.at, c.timezone)) order by p.id)
          filter (where p.step_order = h.step_order and h.type <> 'sent'))[1] as day
      from events p where p.enrolment_id = h.enrolment_id and p.type = 'sent') s on true
  ), measured as materialized (
    select p.campaign_id, p.day, p.step_order, p.variant, p.account_id, p.audience, p.domain, ${measured}
    from (
      select placed.*, was_sent_before or coalesce(step_order = any(sent_together), false) as was_sent,
        coalesce(first_step, sent_together[1]) = step_order as is_of_first_email from placed
    ) p join counted on counted.campaign_id = p.campaign_id
    where p.type <> 'enrolled'
  )`;
