import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { quantity } from '../../core/english.ts';
import { invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { auditEnrolments } from './audit-enrolments.ts';
import { type EnrolmentRow, getEnrolment } from './read-enrolments.ts';

/** Suffix of the reason of a hold for the limit of emails to one company. The text before it changes with the limit. */
const COMPANY_LIMIT = ' (max_per_company_per_day)';

/**
 * Holds the due enrolments at a company that has reached its daily limit, until the next day begins. The caller has locked them.
 * @param most emails a day to one company that the campaign allows
 */
export async function holdForCompany(tx: Tx, ids: readonly number[], until: Date, company: string, most: number): Promise<void> {
  const reason = `${company} has had its ${quantity(most, 'email')} of the day${COMPANY_LIMIT}`;
  await tx.query(sql`
    update enrolments set held_until = ${until}, hold_reason = ${reason}
    where id = any(${ids}::int[]) and status = 'active' and (held_until is null or held_until < ${until})`);
}

/** Ends the holds for the company limit in a campaign whose limit has changed. Index: enrolments_held. */
export async function endCompanyHolds(tx: Tx, campaignId: number): Promise<void> {
  await tx.query(sql`
    update enrolments set held_until = null, hold_reason = null
    where campaign_id = ${campaignId} and status = 'active' and held_until is not null and right(hold_reason, ${COMPANY_LIMIT.length}) = ${COMPANY_LIMIT}`);
}

/**
 * Holds the active ones of these enrolments until an instant, as a user requests it: this may also shorten a hold.
 * @returns the ids of the held enrolments
 */
export async function holdEnrolments(
  tx: Tx,
  app: App,
  caller: Caller,
  ids: readonly number[],
  { until, reason }: { until: Date; reason: string },
): Promise<number[]> {
  const now = app.clock.now();
  // Locked in id order, as `endEnrolments` does.
  const held = await tx.query<{ id: number; workspace_id: number; campaign_id: number; contact_id: number }>(sql`
    with able as (
      select id from enrolments where id = any(${ids}::int[]) and status = 'active' order by id for no key update
    )
    update enrolments e set held_until = ${until}, hold_reason = ${reason}, updated_at = ${now}, held_by = null, before_hold = null
    from able where e.id = able.id returning e.id, e.workspace_id, e.campaign_id, e.contact_id`);
  // A shortened hold may end before the next planned batch.
  for (const campaignId of new Set(held.map((row) => row.campaign_id))) await wakeCampaign(tx, campaignId, now);
  await auditEnrolments(tx, caller, now, 'enrolment.hold', held, { held_until: until.toISOString(), reason });
  return held.map((row) => row.id);
}

/**
 * Holds an enrolment at a user's request; one that is not active stays as it is. Throws `not_found`, and `invalid_request` for a time in
 * the past.
 */
export async function holdEnrolment(app: App, caller: Caller, id: number, until: Date): Promise<EnrolmentRow> {
  await getEnrolment(app, caller, id);
  requireFuture(app, until);
  await app.db.tx((tx) => holdEnrolments(tx, app, caller, [id], { until, reason: 'manual' }));
  return getEnrolment(app, caller, id);
}

/** Throws `invalid_request` if the end of a hold has passed. */
export function requireFuture(app: App, until: Date): void {
  if (until <= app.clock.now()) throw invalid('until: must be in the future');
}
