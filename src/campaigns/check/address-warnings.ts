import { type Caller, notHidden } from '../../access/index.ts';
import { quantity } from '../../core/english.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import { type CampaignWarning, warn } from './warning.ts';

interface Counts {
  bad: number;
  risky: number;
  unchecked: number;
  all: number;
}

/**
 * Warns how many active contacts have a bad or risky address, and how many addresses were never checked. Returns nothing if no address was
 * checked, because checking is optional. `offset 0` keeps the planner from reading all contacts. Indexes: enrolments_active, contacts_pkey.
 */
export async function addressWarnings(db: Queryable, caller: Caller, campaignIds: readonly number[]): Promise<CampaignWarning[]> {
  const countOf = (verdict: string) => sql`(count(*) filter (where t.verification->>'verdict' = ${verdict}))::int`;
  const [counts] = await db.query<Counts>(sql`
    select ${countOf('bad')} as bad, ${countOf('risky')} as risky, (count(*) filter (where t.verification is null))::int as unchecked, count(*)::int as "all"
    from enrolments e cross join lateral (select k.verification from contacts k where k.id = e.contact_id offset 0) t
    where e.campaign_id = any(${campaignIds}::int[]) and ${enrolmentIs('e', 'active')} and ${notHidden(caller, 'contacts', raw('e.contact_id'))}`);
  const { bad = 0, risky = 0, unchecked = 0, all = 0 } = counts ?? {};
  const concerned = bad + risky + unchecked;
  if (concerned === 0 || unchecked === all) return [];
  const message =
    `of the addresses of ${quantity(all, 'contact')}, ${bad} are bad, ${risky} risky and ${unchecked} were never checked; ` +
    'outreach contact verify checks them, and campaign set --skip-risky true leaves out the bad and risky ones';
  return [warn('risky_addresses', message, { contacts: concerned })];
}
