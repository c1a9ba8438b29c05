import type { App } from '../../src/app.ts';
import { type Sql, sql } from '../../src/db/statement.ts';
import { campaignCounts, recountTotals } from '../../src/events/index.ts';

/** What an event is about: its email, by the step, or by the order of a step that there never was. */
const EMAIL: Sql = sql`enrolment_id, coalesce('step ' || step_id, 'order ' || step_order)`;

/** Rows of the log that say of themselves what the rows before them do not bear out. */
const WRONG_ROWS: Sql = sql`
  select 'event ' || v.id || ' (' || v.type || ')' as fault from (
    select e.*,
      row_number() over (partition by enrolment_id, type order by id) = 1 as first_of_contact,
      row_number() over (partition by ${EMAIL}, type order by id) = 1 as first_of_email,
      min(id) filter (where type = 'sent') over (partition by ${EMAIL}) as sent_id,
      min(id) filter (where type = 'sent') over (partition by enrolment_id) as first_sent_id,
      first_value(day) over (partition by ${EMAIL} order by type <> 'sent', id) as sent_day
    from events e
  ) v
  where v.type <> 'enrolled' and (
    (v.is_first_of_contact, v.is_first_of_email) is distinct from (v.first_of_contact, v.first_of_email)
    or v.counts_as <> case when v.type <> 'bounced' then v.type when v.sent_id < v.id then 'returned' else 'refused' end
    or v.counts_as = 'returned' and v.is_of_first_email is distinct from (v.sent_id = v.first_sent_id)
    or v.type <> 'sent' and v.sent_id < v.id and v.day <> v.sent_day
    or v.in_feed = (v.type in ('machine_opened', 'machine_clicked', 'auto_replied')))`;

/** Campaigns whose statistics are not what their enrolments and the log say. */
const WRONG_CAMPAIGNS: Sql = sql`
  select 'campaign ' || c.id as fault from campaigns c
  left join (${campaignCounts(sql`select o.id from campaigns o`)}) n on n.campaign_id = c.id
  cross join lateral (
    select count(*) filter (where type = 'sent') as sent, count(distinct enrolment_id) filter (where type = 'enrolled') as contacts,
      count(distinct enrolment_id) filter (where type = 'opened') as opened, count(distinct enrolment_id) filter (where type = 'clicked') as clicked,
      count(distinct enrolment_id) filter (where type = 'replied') as replied, count(distinct enrolment_id) filter (where type = 'bounced') as bounced,
      count(distinct enrolment_id) filter (where type = 'failed') as failed
    from events v where v.campaign_id = c.id) r
  where (r.contacts, r.sent, r.opened, r.clicked, r.replied, r.bounced, r.failed) is distinct from (coalesce(n.contacts, 0)::bigint,
    coalesce(n.sent, 0)::bigint, coalesce(n.opened, 0)::bigint, coalesce(n.clicked, 0)::bigint, coalesce(n.replied, 0)::bigint,
    coalesce(n.bounced, 0)::bigint, coalesce(n.failed, 0)::bigint)`;

/** Enrolments that the log has in another campaign, or not at all, of campaigns that log enrolments. */
const STRAY_ENROLMENTS: Sql = sql`
  select 'enrolment ' || e.id as fault from enrolments e
  where e.campaign_id in (select v.campaign_id from events v where v.type = 'enrolled')
    and not exists (select from events v where v.enrolment_id = e.id and v.type = 'enrolled' and v.campaign_id = e.campaign_id)`;

/**
 * Everything that is wrong with the numbers of an installation, held against the bare rows of its log: what rows count as, the statistics before
 * the log is folded and after, and the totals that are folded.
 */
export async function numberFaults(app: App): Promise<string[]> {
  const faults = async (before: string) => {
    const rows = await app.db.query<{ fault: string }>(sql`${WRONG_ROWS} union all ${WRONG_CAMPAIGNS} union all ${STRAY_ENROLMENTS}`);
    return rows.map(({ fault }) => `${before}: ${fault}`);
  };
  const before = await faults('before the fold');
  const corrections = await recountTotals(app);
  return [...before, ...corrections.map(({ campaign_id }) => `folded: campaign ${campaign_id}`), ...(await faults('after the fold'))];
}
