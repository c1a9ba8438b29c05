import { raw, type Sql, sql } from '../db/statement.ts';
import { isOfSequence } from '../outbox/index.ts';
import type { NewEvent } from './event.ts';
import { happened } from './happened.ts';
import { audienceOf, DOMAIN_CELL, DOMAIN_COLUMNS, DOMAIN_GROUPS, DOMAIN_ROW, DOMAIN_SIGN } from './measures.ts';
import { subscribed } from './publish-events.ts';

/** The email that `h` is about. Index: outbox_enrolment_id_step_id_key. */
const EMAIL: Sql = sql`
  select o.id, o.variant, o.account_id, o.recipient from outbox o
  where o.enrolment_id = h.enrolment_id and o.step_order = h.step_order and ${isOfSequence('o')} order by o.id desc limit 1`;

/** Always true: asked before counters of reports are written, so that the statistics are locked first. */
const IS_COUNTED: Sql = sql`(select count(*) from counted) > 0`;

/**
 * Logs and counts events of the type `sent` alone, as every email has one, and selects the ids of those to publish. The rules are those of
 * `placedEvents` and `happenings`, but for these two measures and without what other types need, at a third of the time. The caller holds
 * the locks of the enrolments; the statistics are locked before the reports' counters. Indexes: campaigns_pkey, contacts_pkey,
 * events_enrolment.
 */
export const recordSent = (events: readonly NewEvent[]): Sql => sql`
  with happened as materialized (${happened(events)}),
  counted as (
    insert into campaign_stats as s (campaign_id, sent) select campaign_id, count(*) from happened group by campaign_id order by campaign_id
    on conflict (campaign_id) do update set sent = s.sent + excluded.sent returning s.campaign_id
  ), located as materialized (
    select h.*, c.timezone, c.account_id as campaign_account from happened h join campaigns c on c.id = h.campaign_id
  ), days as materialized (
    select timezone, day_in_zone(min(at), timezone) as first, day_in_zone(max(at), timezone) as last from located group by timezone
  ), placed as materialized (
    select h.*, case when d.first = d.last then d.first else day_in_zone(h.at, h.timezone) end as day,
      coalesce(o.variant, case when o.id is null then (select e.variant from enrolments e where e.id = h.enrolment_id) end, '') as variant,
      coalesce(o.account_id, (select e.account_id from enrolments e where e.id = h.enrolment_id), h.campaign_account) as account_id,
      lower(split_part(coalesce(o.recipient, (select t.email from contacts t where t.id = h.contact_id)), '@', -1)) as domain,
      ${audienceOf(sql`h.contact_id`)} as audience,
      (row_number() over (partition by h.enrolment_id order by h.position) = 1
        and not exists (select from events p where p.enrolment_id = h.enrolment_id and p.type = 'sent'))::int as is_first
    from located h join days d on d.timezone = h.timezone left join lateral (${EMAIL}) o on true
  ), cells as (
    insert into report_counts as r (campaign_id, day, step_order, variant, account_id, sent, contacts)
    select p.campaign_id, p.day, p.step_order, p.variant, p.account_id, count(*), sum(p.is_first)
    from placed p where ${IS_COUNTED} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (campaign_id, day, step_order, variant, account_id)
      do update set sent = r.sent + excluded.sent, contacts = r.contacts + excluded.contacts
  ), private_cells as (
    insert into private_counts as r (campaign_id, day, step_order, variant, account_id, audience, sent, contacts)
    select p.campaign_id, p.day, p.step_order, p.variant, p.account_id, p.audience, count(*), sum(p.is_first)
    from placed p where p.audience <> 0 and ${IS_COUNTED} group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
    on conflict (campaign_id, day, step_order, variant, account_id, audience)
      do update set sent = r.sent + excluded.sent, contacts = r.contacts + excluded.contacts
  ), domains as (
    insert into domain_counts as r (${raw(DOMAIN_CELL)}, sent, contacts)
    select ${raw(DOMAIN_COLUMNS)}, ${raw(DOMAIN_SIGN)} * count(*), ${raw(DOMAIN_SIGN)} * sum(is_first)
    from placed where ${IS_COUNTED} group by ${raw(DOMAIN_GROUPS)} having ${raw(DOMAIN_ROW)} order by 1, 2, 3, 4, 5
    on conflict (${raw(DOMAIN_CELL)}) do update set sent = r.sent + excluded.sent, contacts = r.contacts + excluded.contacts
  ), logged as (
    insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, url, details, at, day, variant, account_id, domain)
    select workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, url, details::jsonb, at, day, variant, account_id, domain
    from placed order by position returning id, workspace_id, type
  )
  ${subscribed}`;
