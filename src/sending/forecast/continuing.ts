import { contactZone, continuesWhenUnknown, endOfWait, enrolmentIs, sendsFrom } from '../../campaigns/index.ts';
import { loadPublicDomains } from '../../contacts/index.ts';
import { type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import { isWaitedFor } from '../../outbox/index.ts';
import { LATE_COPY_WINDOW } from '../email/delays.ts';
import type { SimulatedEnrolment } from '../plan/simulated-queue.ts';

type Row = Omit<SimulatedEnrolment, 'dueAt' | 'isFollowUp'> & { transmittedAt: Date; campaignZone: string; holidays: string | null };

/** Selects row `alias` of `steps` as a `SimulatedStep`. */
export const simulatedStep = (alias: string): Sql => {
  const s = raw(alias);
  return sql`jsonb_build_object('order', ${s}.step_order, 'kind', ${s}.kind, 'wait_days', ${s}.wait_days, 'wait_hours', ${s}.wait_hours,
    'business_days', ${s}.business_days)`;
};

/** Selects the domain of a contact's address, if the campaign limits emails to one company. */
export const companyDomain = (
  enrolment: string,
  campaign: string,
): Sql => sql`case when ${raw(campaign)}.max_per_company_per_day is not null
  then (select address_domain(k.email) from contacts k where k.id = ${raw(enrolment)}.contact_id) end`;

/** Clears the company of enrolments whose domain belongs to a public mailbox provider. */
export async function withCompanies<Row extends { company?: string | null }>(rows: readonly Row[]): Promise<Row[]> {
  if (rows.every(({ company }) => company == null)) return [...rows];
  const { isPublicDomain } = await loadPublicDomains();
  return rows.map((row) => (row.company != null && isPublicDomain(row.company) ? { ...row, company: null } : row));
}

/**
 * Reads the enrolments that will continue although the delivery of their last email is unknown, because their campaign has
 * `when_unknown` = `continue`. Index: outbox_campaign_open.
 */
export async function loadContinuing(db: Queryable, accountId: number, campaignIds: readonly number[]): Promise<SimulatedEnrolment[]> {
  const rows = await db.query<Row>(sql`
    select e.id, e.campaign_id as "campaignId", e.variant, ${contactZone('e', 'c')} as timezone, o.transmitting_at as "transmittedAt",
      ${companyDomain('e', 'c')} as company, c.timezone as "campaignZone", c.holidays,
      (select coalesce(jsonb_agg(${simulatedStep('s')} order by s.step_order), '[]')
        from steps s where s.campaign_id = e.campaign_id and s.deleted_at is null
          and s.step_order > t.step_order - (t.deleted_at is not null)::int) as steps
    from outbox o join steps t on t.id = o.step_id join enrolments e on e.id = o.enrolment_id and ${enrolmentIs('e', 'active')}
    join campaigns c on c.id = o.campaign_id and ${continuesWhenUnknown('c')}
    where o.campaign_id = any(${campaignIds}::int[]) and ${isWaitedFor('o')} and ${sendsFrom('e', 'c')} = ${accountId}`);
  return (await withCompanies(rows)).map(({ transmittedAt, campaignZone, holidays, ...enrolment }) => {
    const [next] = enrolment.steps;
    const waited = next === undefined ? transmittedAt : endOfWait(transmittedAt, next, { timezone: campaignZone, holidays });
    const released = new Date(transmittedAt.getTime() + LATE_COPY_WINDOW);
    return { ...enrolment, isFollowUp: true, dueAt: waited > released ? waited : released };
  });
}
