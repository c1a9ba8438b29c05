import type { App } from '../../src/app.ts';
import { join, raw, type Sql, sql } from '../../src/db/statement.ts';
import { campaignCounts, foldEvents } from '../../src/events/index.ts';

/** The email of an event, by its step, or by the order of a step that never existed. */
const EMAIL: Sql = sql`enrolment_id, coalesce('step ' || step_id, 'order ' || step_order)`;

/** Rows of the log whose own claims the earlier rows contradict. */
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
  where v.is_first_of_contact <> v.first_of_contact
    or v.type <> 'enrolled' and v.is_first_of_email <> v.first_of_email
    or v.counts_as <> case when v.type <> 'bounced' then v.type when v.sent_id < v.id then 'returned' else 'refused' end
    or v.counts_as = 'returned' and v.is_of_first_email is distinct from (v.sent_id = v.first_sent_id)
    or v.type <> 'sent' and v.sent_id < v.id and v.day <> v.sent_day
    or v.in_feed = (v.type in ('machine_opened', 'machine_clicked', 'auto_replied'))`;

const CONTACT_COUNTS: Readonly<Record<string, string>> = {
  contacts: 'enrolled',
  ...Object.fromEntries(['opened', 'clicked', 'replied', 'bounced', 'failed'].map((type) => [type, type])),
};

/** Campaigns whose statistics differ from the log: emails sent, and contacts for each type of event. */
const WRONG_CAMPAIGNS: Sql = sql`
  select 'statistics of campaign ' || c.id || ': ' || k.name || ' is ' || k.shown || ', logged are ' || k.logged as fault from campaigns c
  left join (${campaignCounts(sql`select o.id from campaigns o`)}) n on n.campaign_id = c.id
  cross join lateral (
    select 'sent' as name, coalesce(n.sent, 0) as shown, (select count(*) from events v where v.campaign_id = c.id and v.type = 'sent') as logged
    union all ${join(
      Object.entries(CONTACT_COUNTS).map(
        ([name, type]) => sql`
          select ${name}, coalesce(n.${raw(name)}, 0),
            (select count(distinct v.enrolment_id) from events v where v.campaign_id = c.id and v.type = ${type})`,
      ),
      ' union all ',
    )}) k
  where k.shown <> k.logged`;

/** Enrolments that the log has in another campaign, or, for campaigns that log enrolments, not at all. */
const STRAY_ENROLMENTS: Sql = sql`
  select 'enrolment ' || e.id as fault from enrolments e
  where e.campaign_id in (select v.campaign_id from events v where v.type = 'enrolled')
    and not exists (select from events v where v.enrolment_id = e.id and v.type = 'enrolled' and v.campaign_id = e.campaign_id)`;

/**
 * Selects rows of a table of totals that are missing or differ from the sum of the log up to the mark, for campaigns that are not to be
 * folded again.
 */
const wrongTotals = (table: string, cell: string): Sql => {
  const shown = sql`select ${raw(cell)}, events, emails, contacts, first_emails from ${raw(table)}`;
  const logged = sql`
    select ${raw(cell)}, count(*)::int, sum(is_first_of_email::int)::int, sum(is_first_of_contact::int)::int,
      sum((is_first_of_email and is_of_first_email)::int)::int
    from events where id <= (select event_id from fold_marks) group by ${raw(cell)}`;
  return sql`
    select ${`${table} of campaign `} || d.campaign_id || ': ' || d::text as fault from (
      (${shown} except all ${logged}) union all (${logged} except all ${shown})) d
    where d.campaign_id not in (select campaign_id from refolds)`;
};

const WRONG_TOTALS: Sql = sql`
  ${wrongTotals('event_totals', 'campaign_id, counts_as, day, step_id, variant, account_id')}
  union all ${wrongTotals('domain_totals', 'campaign_id, counts_as, domain')}`;

/** The events that a complete fold has left over. */
const UNFOLDED: Sql = sql`
  select 'event ' || max(id) || ' is not folded' as fault from events having max(id) > (select event_id from fold_marks)
  union all select 'campaign ' || campaign_id || ' is not folded anew' from refolds`;

/**
 * Finds everything that is wrong with the numbers of an installation, compared with the bare rows of its log: what rows count as, the
 * statistics and the totals, before and after the log is folded. Corrects nothing. The log must not be written to meanwhile.
 */
export async function numberFaults(app: App): Promise<string[]> {
  const faults = async (when: string, checks: readonly Sql[]) => {
    const rows = await app.db.query<{ fault: string }>(join([...checks], ' union all '));
    return rows.map(({ fault }) => `${when}: ${fault}`);
  };
  const checks = [WRONG_ROWS, WRONG_CAMPAIGNS, STRAY_ENROLMENTS, WRONG_TOTALS];
  const before = await faults('before the fold', checks);
  await foldEvents(app);
  return [...before, ...(await faults('after the fold', [...checks, UNFOLDED]))];
}
