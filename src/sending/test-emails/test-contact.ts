import { type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { getContact } from '../../contacts/index.ts';
import { invalid, unlessNotFound } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';

/** The contact whose values fill a test; if the id is null, it is the recipient, who is not a contact. */
export interface TestContact {
  id: number | null;
  name: string;
  email: string;
  company: string | null;
  custom_fields: Record<string, string>;
}

/**
 * Returns the contact for whom a test is written: the given one, else the first contact of the campaign that the caller may see, else the
 * recipient of the test, without a name. Throws `invalid_request` if there is no contact with that id. Index: enrolments_page.
 */
export async function testContact(
  app: App,
  caller: Caller,
  campaignId: number,
  contactId: number | undefined,
  to: string,
): Promise<TestContact> {
  if (contactId !== undefined) {
    const named = await unlessNotFound(getContact(app.db, caller, contactId), null);
    if (named === null) throw invalid(`contact_id: there is no contact ${contactId}`);
    return named;
  }
  const [first] = await app.db.query<{ id: number }>(sql`
    select k.id from enrolments e join contacts k on k.id = e.contact_id and ${visible(caller, 'contacts', 'k')}
    where e.campaign_id = ${campaignId} order by e.contact_id limit 1`);
  if (first !== undefined) return getContact(app.db, caller, first.id);
  return { id: null, name: '', email: to, company: null, custom_fields: {} };
}
