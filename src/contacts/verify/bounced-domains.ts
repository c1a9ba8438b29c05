import { DAY } from '../../core/clock.ts';
import { empty, type Queryable, sql } from '../../db/statement.ts';
import { isPublicDomain } from '../public-domain.ts';

/** Number of addresses of one domain that must bounce before its other addresses are risky. */
export const MANY_BOUNCES = 3;
const BOUNCES_COUNT_FOR = 30 * DAY;

/**
 * Counts recent permanent bounces by domain, from the suppressions of the workspace, for domains with many of them. Leaves out mailbox
 * providers, where they say nothing about other addresses. Index: suppressions_page.
 * @param among the domains that matter, in A-labels and lower case; all if undefined
 */
export async function bouncedDomains(
  db: Queryable,
  workspaceId: number,
  now: Date,
  among?: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ domain: string; bounced: number }>(sql`
    select address_domain(s.email) as domain, count(*)::int as bounced from suppressions s
    where s.workspace_id = ${workspaceId} and s.removed_at is null and s.reason = 'bounce'
      and s.created_at > ${new Date(now.getTime() - BOUNCES_COUNT_FOR)}
      ${among === undefined ? empty : sql`and address_domain(s.email) = any(${among}::text[])`}
    group by 1 having count(*) >= ${MANY_BOUNCES}`);
  return new Map(rows.filter(({ domain }) => !isPublicDomain(domain)).map(({ domain, bounced }) => [domain, bounced]));
}
