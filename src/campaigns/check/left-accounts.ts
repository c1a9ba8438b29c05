import { type Caller, notHidden, visible } from '../../access/index.ts';
import { isLiveAccount } from '../../accounts/index.ts';
import { quantity } from '../../core/english.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import { enrolmentIs } from '../states/enrolment.ts';

/** Contacts of a rotation group who are in its sequence and wait for an account that was deleted or archived. */
export interface LeftAccount {
  contacts: number;
  /** A sentence without a full stop, with what to do. */
  message: string;
}

/**
 * Finds accounts that left a campaign's rotation group because they were deleted or archived, and that still have contacts who were already
 * emailed. Those contacts stay with their campaign. Indexes: campaigns_rotation, enrolments_active.
 */
export async function leftAccounts(db: Queryable, caller: Caller, campaignId: number): Promise<LeftAccount[]> {
  const rows = await db.query<{ id: number; email: string; contacts: number }>(sql`
    select m.id, a.email, n.contacts
    from campaigns c join campaigns m on m.rotation_group_id = c.rotation_group_id and m.is_leaving
    join accounts a on a.id = m.account_id and not (${isLiveAccount('a')})
    cross join lateral (
      select count(*)::int as contacts from enrolments e
      where e.campaign_id = m.id and ${enrolmentIs('e', 'active')} and ${notHidden(caller, 'contacts', raw('e.contact_id'))}) n
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'm')} and n.contacts > 0 order by m.id`);
  return rows.map(({ id, email, contacts }) => ({
    contacts,
    message:
      `${quantity(contacts, 'contact in the sequence waits', 'contacts in the sequence wait')} for ${email}, which is archived or deleted; ` +
      `to continue with another account, run: outreach campaign set ${id} --account ADDRESS, and then: outreach campaign activate ${id}`,
  }));
}
