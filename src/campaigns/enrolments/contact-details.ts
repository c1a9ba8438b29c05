import { type Caller, requireVisible, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type HoldingSuppression, suppressionsOf, type Verification } from '../../contacts/index.ts';
import { sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import { type ContactCampaignRow, listCampaignsOfContact } from './read-enrolments.ts';

/** A campaign of a contact, with the reasons for which the contact gets no next email. */
interface ContactCampaign extends ContactCampaignRow {
  account_email: string;
  variant: 'A' | 'B' | null;
  stop_reason: string | null;
  /** End of the contact's hold, and its reason. A hold without an end lasts until a person or an event ends it. */
  held_until: string | null;
  hold_reason: string | null;
}

export interface ContactDetails {
  contact_id: number;
  /** Empty if the contact may be emailed. */
  suppressions: HoldingSuppression[];
  /** Null if the address was never checked. */
  verification: Verification | null;
  lists: { id: number; name: string }[];
  campaigns: ContactCampaign[];
}

type More = Omit<ContactCampaign, keyof ContactCampaignRow> & { campaign_id: number };

/** Reads the state of a contact: suppressions, the check of its address, lists and campaigns. Throws `not_found`. Indexes: contacts_pkey, enrolments_contact, list_members_contact. */
export async function getContactDetails(app: App, caller: Caller, id: number): Promise<ContactDetails> {
  const { db } = app;
  await requireVisible(db, caller, 'contacts', id);
  const [[contact], lists, { data }, more] = await Promise.all([
    db.query<{ email: string; verification: Verification | null }>(sql`select email, verification from contacts where id = ${id}`),
    db.query<{ id: number; name: string }>(sql`
      select l.id, l.name from list_members m join lists l on l.id = m.list_id and l.deleted_at is null
      where m.contact_id = ${id} order by l.name, l.id`),
    listCampaignsOfContact(app, caller, id),
    db.query<More>(sql`
      select e.campaign_id, a.email as account_email, e.variant, e.stop_reason, ${timestamp('e.held_until')} as held_until,
        coalesce(e.content_fault, e.hold_reason) as hold_reason
      from enrolments e join campaigns c on c.id = e.campaign_id and ${visible(caller, 'campaigns', 'c')}
      join accounts a on a.id = coalesce(e.account_id, c.account_id) where e.contact_id = ${id}`),
  ]);
  const suppressions = await suppressionsOf(app, db, caller.workspaceId, contact?.email ?? '');
  const moreOf = new Map(more.map(({ campaign_id, ...own }) => [campaign_id, own]));
  const campaigns = data.flatMap((row) => {
    const own = moreOf.get(row.campaign_id);
    return own === undefined ? [] : [{ ...row, ...own }];
  });
  return { contact_id: id, suppressions, verification: contact?.verification ?? null, lists, campaigns };
}
