import type { App } from '../../app.ts';
import { causeText } from '../../core/cause-text.ts';
import { sql } from '../../db/statement.ts';
import type { Subsequence } from '../options/subsequence.ts';
import { campaignIs } from '../states/campaign.ts';
import type { CampaignFacts } from './campaign-facts.ts';
import { type CampaignWarning, warn } from './warning.ts';

/** State of a rule's target campaign: gone means that it accepts no contacts, stopped that it sends them nothing yet. */
interface Fault {
  is_gone: boolean;
  is_stopped: boolean;
}

/** Returns warnings about the campaigns that subsequences enrol contacts into, and about causes that never occur. */
export async function followWarnings({ db }: App, facts: CampaignFacts): Promise<CampaignWarning[]> {
  const targets = await db.query<Fault & { id: number }>(sql`
    select c.id, c.deleted_at is not null or c.is_archived as is_gone, ${campaignIs('c', 'draft', 'paused')} as is_stopped
    from campaigns c where c.id = any(${facts.subsequences.map(({ campaign_id }) => campaign_id)}::int[])`);
  const faults = new Map(targets.map(({ id, ...fault }) => [id, fault]));
  return facts.subsequences.flatMap((rule) => ruleWarnings(facts, rule, faults.get(rule.campaign_id)));
}

function ruleWarnings(facts: CampaignFacts, rule: Subsequence, fault: Fault | undefined): CampaignWarning[] {
  const name = `the subsequence "${causeText(rule)}"`;
  if (fault === undefined || fault.is_gone)
    return [warn('subsequence_gone', `${name} enrols nobody: campaign ${rule.campaign_id} is archived or deleted`)];
  const isUntracked = (rule.on === 'opened' && !facts.track_opens) || (rule.on === 'clicked' && !facts.track_clicks);
  if (isUntracked) return [warn('subsequence_untracked', `${name} enrols nobody: this is not tracked`)];
  if (!fault.is_stopped) return [];
  return [warn('subsequence_stopped', `${name} enrols contacts who are sent nothing until campaign ${rule.campaign_id} is active`)];
}
