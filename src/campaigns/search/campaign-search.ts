import { visible } from '../../access/index.ts';
import type { CampaignSearch } from '../../contacts/search/index.ts';
import { raw, sql } from '../../db/statement.ts';
import { hasEvent } from '../../events/index.ts';
import { nextSendSearch } from '../schedule/next-send-search.ts';
import { callIs } from '../states/call.ts';
import { ENROLMENT_STATUSES } from '../states/enrolment.ts';

/** Implements the conditions of a contact search that concern campaigns. */
export const campaignSearch: CampaignSearch = {
  statuses: ENROLMENT_STATUSES,
  /** Indexes: enrolments_contact, enrolments_page, campaigns_page. */
  hasEnrolment(caller, alias, condition) {
    const [e, k] = [raw(alias), raw(`${alias}_campaign`)];
    return sql`exists (
      select from enrolments ${e} join campaigns ${k} on ${k}.id = ${e}.campaign_id and ${visible(caller, 'campaigns', `${alias}_campaign`)}
      where ${e}.contact_id = c.id and ${condition})`;
  },
  hasEvent: (caller, type, condition) => hasEvent(caller, 'c.id', type, condition),
  /** Index: enrolments_contact. */
  wasCalled: (caller, condition) => sql`exists (
    select from call_tasks t join enrolments n on n.id = t.enrolment_id
    join campaigns k on k.id = n.campaign_id and ${visible(caller, 'campaigns', 'k')}
    where n.contact_id = c.id and ${callIs('t', 'done')} and ${condition('t.closed_at')})`,
  nextSend: nextSendSearch,
};
