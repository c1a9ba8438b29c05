import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { quantity } from '../../core/english.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wakeCampaign } from '../campaign/wake.ts';

/** Ends the reason of holds by the limit of emails to one company, which changes with that limit. */
const COMPANY_LIMIT = ' (max_per_company_per_day)';

/**
 * Holds the due enrolments at a company that has had its emails of the day until the next day begins. The caller has locked them.
 * @param most emails a day that the campaign allows
 */
export async function holdForCompany(tx: Tx, ids: readonly number[], until: Date, company: string, most: number): Promise<void> {
  const reason = `${company} has had its ${quantity(most, 'email')} of the day${COMPANY_LIMIT}`;
  await tx.query(sql`
    update enrolments set held_until = ${until}, hold_reason = ${reason}
    where id = any(${ids}::int[]) and status = 'active' and (held_until is null or held_until < ${until})`);
}

/** Ends those holds in a campaign whose limit has changed. Index: enrolments_held. */
export async function endCompanyHolds(tx: Tx, campaignId: number): Promise<void> {
  await tx.query(sql`
    update enrolments set held_until = null, hold_reason = null
    where campaign_id = ${campaignId} and status = 'active' and held_until is not null and right(hold_reason, ${COMPANY_LIMIT.length}) = ${COMPANY_LIMIT}`);
}

/**
 * Holds an active enrolment until that instant, as a person wants it: it may also shorten a hold.
 * @returns true when the hold changed
 */
export async function holdEnrolment(
  tx: Tx,
  app: App,
  caller: Caller,
  id: number,
  { until, reason }: { until: Date; reason: string },
): Promise<boolean> {
  const now = app.clock.now();
  const [row] = await tx.query<{ workspace_id: number; campaign_id: number; contact_id: number }>(sql`
    update enrolments e set held_until = ${until}, hold_reason = ${reason}, updated_at = ${now}, held_by = null, before_hold = null
    where id = ${id} and status = 'active' returning workspace_id, campaign_id, contact_id`);
  if (row === undefined) return false;
  // A shortened hold may end before the next planned batch.
  await wakeCampaign(tx, row.campaign_id, now);
  await audit(tx, { ...caller, workspaceId: row.workspace_id }, now, {
    action: 'enrolment.hold',
    resourceType: 'enrolment',
    resourceId: id,
    changes: { campaign_id: row.campaign_id, contact_id: row.contact_id, held_until: until.toISOString(), reason },
  });
  return true;
}
