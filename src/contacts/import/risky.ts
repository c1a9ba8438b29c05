import { domainOf } from '../../core/email-address.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { bouncedDomains, kindOfAddress } from '../verify/index.ts';

/** Reasons for which `contact verify` would call an address bad or risky without a lookup; the worst first. */
export const RISKS = ['unread', 'disposable', 'role', 'bounced_domain'] as const;
type Risk = (typeof RISKS)[number];

/** The addresses of a file that share a risk. */
export interface RiskyAddresses {
  risk: Risk;
  count: number;
  /** The most frequent names, at most three: mailboxes such as `sales@` for the risks `unread` and `role`, domains for the others. */
  examples: string[];
}

/** Returns a function that tells the risk of an address in a workspace; undefined if it has none. */
export async function risksIn(db: Queryable, workspaceId: number, now: Date): Promise<(email: string) => Risk | undefined> {
  const bounced = await bouncedDomains(db, workspaceId, now);
  return (email) => kindOfAddress(email) ?? (bounced.size > 0 && bounced.has(domainOf(email)) ? 'bounced_domain' : undefined);
}

/** Counts the staged rows with a risk, which are few. */
export async function countRisky(tx: BulkTx): Promise<RiskyAddresses[]> {
  return tx.query<RiskyAddresses>(sql`
    with named as (
      select r.risk, case when r.risk in ('unread', 'role') then split_part(address_key(r.email), '@', 1) || '@' else address_domain(r.email) end as name,
        count(*)::int as count
      from import_rows r where r.risk is not null group by 1, 2)
    select risk, sum(count)::int as count, (array_agg(name order by count desc, name))[1:3] as examples
    from named group by risk order by array_position(${[...RISKS]}::text[], risk)`);
}
