import { type Sql, sql } from '../db/statement.ts';
import { measureSums } from '../events/index.ts';

/**
 * Selects the rows of a report by the account that sent the emails, or by when they were sent. Index: accounts_pkey.
 * @param counts a query for the counters, with `account_id` and `day`
 */
export function rowsByAccountOrTime(by: 'account' | 'day' | 'week', counts: Sql): Sql {
  switch (by) {
    case 'account':
      return sql`
        select g.account_id, a.email as account_email, ${measureSums('g')} from (${counts}) g join accounts a on a.id = g.account_id
        group by 1, 2 order by 1`;
    case 'day':
      return sql`select g.day::text as day, ${measureSums('g')} from (${counts}) g group by 1 order by 1`;
    case 'week':
      return sql`select date_trunc('week', g.day)::date::text as week, ${measureSums('g')} from (${counts}) g group by 1 order by 1`;
  }
}
