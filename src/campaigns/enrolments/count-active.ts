import { type Sql, sql } from '../../db/statement.ts';
import { enrolmentIs } from '../states/enrolment.ts';

/**
 * Selects `campaign_id` and `active`, the number of contacts still in the sequence, of campaigns that have any. Index: enrolments_active.
 * @param campaigns a query for the ids of campaigns
 */
export const activeContacts = (campaigns: Sql): Sql => sql`
  select e.campaign_id, count(*)::int as active from enrolments e
  where ${enrolmentIs('e', 'active')} and e.campaign_id in (${campaigns}) group by 1`;
