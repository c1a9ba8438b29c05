import { type Caller, notHidden } from '../../access/index.ts';
import { enrolmentIs, isHeldForContent } from '../../campaigns/index.ts';
import { quantity } from '../../core/english.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';

/** Maximum number of faults listed; a campaign has few, because all contacts at a step share its content. */
const MAX_LISTED = 5;

/** Describes the contacts of a campaign whose email can't be written: how many, at which step, and why. Index: enrolments_held. */
export async function contentHolds(db: Queryable, caller: Caller, campaignId: number): Promise<string[]> {
  const rows = await db.query<{ step: number; fault: string; contacts: number }>(sql`
    select e.current_step as step, e.content_fault as fault, count(*)::int as contacts from enrolments e
    where e.campaign_id = ${campaignId} and ${isHeldForContent('e')} and ${enrolmentIs('e', 'active')}
      and ${notHidden(caller, 'contacts', raw('e.contact_id'))}
    group by 1, 2 order by 3 desc, 1, 2 limit ${MAX_LISTED}`);
  return rows.map(
    ({ step, fault, contacts }) =>
      `${quantity(contacts, 'contact is', 'contacts are')} held at step ${step}: ${fault}. To continue, change the step, the custom fields or the contact.`,
  );
}
