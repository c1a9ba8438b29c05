import { type Queryable, type Sql, sql } from '../db/statement.ts';
import { isWhole, type ReportDays } from '../events/index.ts';
import { isByPerson } from '../replies/index.ts';
import { type Proportion, proportion } from './proportion.ts';

/** The contacts of a report who replied, by the labels of their replies. The rates have the same base as `replied`. */
export interface Answers {
  /** Contacts who replied without asking to get no more email. */
  answered: Proportion | null;
  /** Contacts with a reply that has one of the workspace's positive labels. */
  positive: Proportion | null;
  /** Contacts who asked to get no more email. */
  asked_to_stop: Proportion | null;
  /** The contacts with a reply of each label; null for replies without a label. */
  labels: { label: string | null; is_positive: boolean; contacts: number; rate: Proportion | null }[];
}

/**
 * Counts contacts who replied, by label. A contact counts once per campaign for each label. Indexes: replies_campaign, and outbox_pkey if
 * the days are limited.
 * @param campaigns a query for the ids of the campaigns
 * @param of the number of contacts, or of emails, that is the base of the rates
 */
export async function readAnswers(db: Queryable, workspaceId: number, campaigns: Sql, days: ReportDays, of: number): Promise<Answers> {
  const ofDays = isWhole(days)
    ? sql`true`
    : sql`exists (select from outbox o join campaigns c on c.id = o.campaign_id where o.id = r.outbox_id
        and day_in_zone(coalesce(o.accepted_at, o.transmitting_at), c.timezone)
          between coalesce(${days.since}::date, '-infinity') and coalesce(${days.until}::date, 'infinity'))`;
  const rows = await db.query<{
    label: string | null;
    is_positive: boolean;
    group: number;
    contacts: number;
    stops: number;
    answered: number;
  }>(sql`
    with replied as (
      select r.campaign_id, r.contact_id, r.label, coalesce(r.label = any(w.positive_labels), false) as is_positive,
        bool_or(r.kind = 'unsubscribe_request') over (partition by r.campaign_id, r.contact_id) as stops
      from replies r join workspaces w on w.id = ${workspaceId}
      where r.campaign_id in (${campaigns}) and ${isByPerson('r')} and ${ofDays})
    select label, is_positive, grouping(label)::int as group, count(distinct (campaign_id, contact_id))::int as contacts,
      (count(distinct (campaign_id, contact_id)) filter (where stops))::int as stops,
      (count(distinct (campaign_id, contact_id)) filter (where not stops))::int as answered
    from replied group by grouping sets ((label, is_positive), (is_positive), ()) order by contacts desc, label`);
  const labels = rows.filter(({ group }) => group === 0);
  const positive = rows.find(({ group, is_positive }) => group === 1 && is_positive === true);
  const all = rows.find(({ group, is_positive }) => group === 1 && is_positive === null);
  return {
    answered: proportion(all?.answered ?? 0, of),
    positive: proportion(positive?.contacts ?? 0, of),
    asked_to_stop: proportion(all?.stops ?? 0, of),
    labels: labels.map(({ label, is_positive, contacts }) => ({ label, is_positive, contacts, rate: proportion(contacts, of) })),
  };
}
