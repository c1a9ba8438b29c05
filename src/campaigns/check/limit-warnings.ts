import { type Caller, notHidden } from '../../access/index.ts';
import { loadPublicDomains } from '../../contacts/index.ts';
import { quantity } from '../../core/english.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import { type CampaignFacts, contactsBefore } from './campaign-facts.ts';
import { LONG_DAYS } from './schedule-warnings.ts';
import { type CampaignWarning, warn } from './warning.ts';

/** Number of domains, largest first, that are read to find the largest company. Fewer than this are mailbox providers. */
const MAX_DOMAINS = 200;

interface Company {
  domain: string;
  /** Emails still to send to it. */
  emails: number;
}

/** Warns of daily limits that make the enrolled emails of a campaign or its rotation group take more than 30 days. */
export async function limitWarnings(
  db: Queryable,
  caller: Caller,
  campaignIds: readonly number[],
  facts: CampaignFacts,
): Promise<CampaignWarning[]> {
  const { new_contacts_per_day, max_per_company_per_day } = facts;
  const [first] = facts.steps.filter(({ kind }) => kind === 'email');
  const newContacts = first === undefined ? 0 : contactsBefore(facts, first.step_order);
  const company = max_per_company_per_day === null ? undefined : await largestCompany(db, caller, campaignIds, facts);
  return [
    ...durationWarning(facts, newContacts, new_contacts_per_day, quantity(newContacts, 'first email'), 'new_contacts_per_day'),
    ...(company === undefined
      ? []
      : durationWarning(
          facts,
          company.emails,
          max_per_company_per_day,
          `${quantity(company.emails, 'email')} to ${company.domain}`,
          'max_per_company_per_day',
        )),
  ];
}

function durationWarning(
  { sending_days }: CampaignFacts,
  emails: number,
  aDay: number | null,
  what: string,
  limit: 'new_contacts_per_day' | 'max_per_company_per_day',
): CampaignWarning[] {
  const days = aDay === null ? 0 : Math.ceil((emails / aDay) * (7 / sending_days.length));
  if (days <= LONG_DAYS) return [];
  return [warn('takes_long', `${what} take about ${quantity(days, 'day')}, at ${aDay} on each day of sending (${limit})`)];
}

/**
 * Returns the company with the most emails still to send. Mailbox providers don't count as companies. Indexes: enrolments_active,
 * contacts_pkey.
 */
async function largestCompany(
  db: Queryable,
  caller: Caller,
  campaignIds: readonly number[],
  { steps }: CampaignFacts,
): Promise<Company | undefined> {
  const last = Math.max(0, ...steps.map(({ step_order }) => step_order));
  const emailsFrom = Array.from(
    { length: last },
    (_, index) => steps.filter(({ kind, step_order }) => kind === 'email' && step_order > index).length,
  );
  const rows = await db.query<Company>(sql`
    select (select address_domain(k.email) from contacts k where k.id = e.contact_id) as domain,
      coalesce(sum((${emailsFrom}::int[])[e.current_step]), 0)::int as emails
    from enrolments e
    where e.campaign_id = any(${campaignIds}::int[]) and ${enrolmentIs('e', 'active')} and ${notHidden(caller, 'contacts', raw('e.contact_id'))}
    group by 1 order by 2 desc, 1 limit ${MAX_DOMAINS}`);
  const { isPublicDomain } = await loadPublicDomains();
  return rows.find(({ domain }) => !isPublicDomain(domain));
}
