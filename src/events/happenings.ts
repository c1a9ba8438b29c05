import { type Sql, sql } from '../db/statement.ts';
import { audience, measured } from './measures.ts';

/**
 * Selects what the reports count of some enrolments, a row each: by which cell of the counters, and the measures as 0 or 1. Events that
 * were logged before reports were kept are counted by what enrolment, campaign and contact say now.
 * Indexes: events_enrolment, email_marks_enrolment; events_campaign for a whole campaign.
 * @param of a condition on the enrolments `e`
 */
export const happenings = (of: Sql): Sql => sql`
  select h.campaign_id, h.day, h.step_order, h.variant, h.account_id, h.audience, h.domain, ${measured} from (
    select v.audience, v.campaign_id, v.type, v.step_order, v.variant, v.account_id, v.domain,
      coalesce(v.day, min(v.own_day) filter (where v.type = 'sent') over email, v.own_day) as day,
      v.id = min(v.id) over (partition by v.enrolment_id, v.type) as is_first_of_contact,
      v.id = min(v.id) over (partition by v.enrolment_id, v.type, v.step_order) as is_first_of_email,
      coalesce(min(v.id) filter (where v.type = 'sent') over email < v.id, false) as was_sent,
      min(v.id) filter (where v.type = 'sent') over email = min(v.id) filter (where v.type = 'sent') over contact as is_of_first_email
    from (
      select ${audience('k')} as audience, l.id, l.campaign_id, l.enrolment_id, l.type, l.step_order, l.day,
        coalesce(l.day, day_in_zone(l.at, c.timezone)) as own_day,
        coalesce(l.variant, e.variant, '') as variant, coalesce(l.account_id, e.account_id, c.account_id) as account_id,
        coalesce(l.domain, lower(split_part(k.email, '@', -1))) as domain
      from enrolments e join events l on l.enrolment_id = e.id and l.type <> 'enrolled'
      join campaigns c on c.id = l.campaign_id join contacts k on k.id = e.contact_id
      where ${of}
    ) v
    window email as (partition by v.enrolment_id, v.step_order), contact as (partition by v.enrolment_id)
    union all
    select ${audience('k')} as audience, m.campaign_id, m.mark, m.step_order, m.variant, m.account_id, m.domain, m.day,
      m.id = min(m.id) over (partition by m.enrolment_id, m.mark), true, true, false
    from email_marks m join enrolments e on e.id = m.enrolment_id join contacts k on k.id = e.contact_id where ${of}
  ) h`;
