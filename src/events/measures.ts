import { join, raw, type Sql, sql } from '../db/statement.ts';

/**
 * The counters of a report, and which happening each counts, as a condition on a row of `happenings`. Each contact counts once in a
 * campaign, with the email that it happened to first; so sums over the rows of a report are the campaign's statistics.
 */
const COUNTED = {
  /** Emails. */
  sent: `type = 'sent'`,
  /** Emails that came back after the server had accepted them: the others were delivered. */
  returned: `type = 'bounced' and is_first_of_email and was_sent`,
  /** Contacts who were sent an email, with their first; and those of them whose first came back. */
  contacts: `type = 'sent' and is_first_of_contact`,
  contacts_returned: `type = 'bounced' and is_first_of_email and was_sent and is_of_first_email`,
  opened: `type = 'opened' and is_first_of_contact`,
  clicked: `type = 'clicked' and is_first_of_contact`,
  replied: `type = 'replied' and is_first_of_contact`,
  auto_replied: `type = 'auto_replied' and is_first_of_contact`,
  bounced: `type = 'bounced' and is_first_of_contact`,
  /** Contacts who bounced as the server refused their email: it was not sent. */
  refused: `type = 'bounced' and is_first_of_contact and not was_sent`,
  failed: `type = 'failed' and is_first_of_contact`,
  unsubscribed: `type = 'unsubscribed' and is_first_of_contact`,
  /** Emails that a person opened, or in which one followed a link. */
  emails_opened: `type = 'opened' and is_first_of_email`,
  emails_clicked: `type = 'clicked' and is_first_of_email`,
  /** Emails that a machine fetched. */
  machine_opened: `type = 'machine_opened'`,
  machine_clicked: `type = 'machine_clicked'`,
} as const;

export type Measure = keyof typeof COUNTED;
export const MEASURES = Object.keys(COUNTED) as readonly Measure[];

/**
 * The columns by which `report_counts` counts, `private_counts`, `domain_counts` and `domain_totals`, and `provider_totals`; the day of the
 * last three is -infinity for the sum of all days. Rows of these that are not private count all contacts; the others have, negated, what
 * private contacts count, to be taken away from the reports of members who are not their audience.
 */
export const CELL = 'campaign_id, day, step_order, variant, account_id';
export const PRIVATE_CELL = `${CELL}, audience`;
export const DOMAIN_CELL = 'campaign_id, is_private, day, domain, audience';
export const PROVIDER_CELL = 'campaign_id, is_private, day, provider, audience';

/** The `audience` of row `contact` of contacts, as `audienceOf` says. */
export const audience = (contact: string): Sql => sql`contact_audience(null, ${raw(contact)}.is_shared_to_all, ${raw(contact)}.created_by)`;

/**
 * The `audience` of a contact, who can see it, deleted or not: 0 everyone, a user's id that creator, -1 only admins; shares come in addition.
 * It stays as it is while the contact's enrolments are locked. Index: contacts_pkey.
 */
export const audienceOf = (contactId: Sql): Sql => sql`(
  select ${audience('a')} from contacts a where a.id = ${contactId})`;

/** Columns of a row of `happenings` as measures, 0 or 1. */
export const measured: Sql = join(MEASURES.map((name) => raw(`(${COUNTED[name]})::int as ${name}`)));

/** The measures' names. */
export const measureNames: Sql = raw(MEASURES.join(', '));

/** The measures with their sign changed. */
export const negatedMeasures: Sql = join(MEASURES.map((name) => raw(`-${name} as ${name}`)));

/** Sums of the measures of a table expression, times a factor. */
export const measureSums = (alias: string, factor: string | number = 1): Sql =>
  join(MEASURES.map((name) => raw(`coalesce(${factor} * sum(${alias}.${name}), 0)::int as ${name}`)));

/** Groups of rows by domain, by day and over all days, those of private contacts by their audience too; it needs `DOMAIN_ROW`. */
export const DOMAIN_GROUPS =
  'grouping sets ((campaign_id, day, domain), (campaign_id, domain), (campaign_id, day, domain, audience), (campaign_id, domain, audience))';
/** A condition on such a group: it is of all contacts, or of private ones. */
export const DOMAIN_ROW = 'audience is distinct from 0';
/** The columns of such a group, in the order of `DOMAIN_CELL`. */
export const DOMAIN_COLUMNS =
  "campaign_id, audience is not null as is_private, coalesce(day, '-infinity') as day, domain, coalesce(audience, 0) as audience";
/** The factor of its counts. */
export const DOMAIN_SIGN = 'case when audience is null then 1 else -1 end';

/** Condition on a group of rows: one of them measures something. */
export const anyMeasure = (alias: string): Sql => raw(`sum(${MEASURES.map((name) => `${alias}.${name}`).join(' + ')}) > 0`);

/** Assignments that add to the counters of a row `r`, after `on conflict do update set`. */
export const addMeasures: Sql = join(MEASURES.map((name) => raw(`${name} = r.${name} + excluded.${name}`)));
