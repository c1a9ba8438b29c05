import { CAUSE, causeOf } from '../../core/cause-text.ts';
import { invalid } from '../../core/errors.ts';
import type { Api } from './api.ts';
import { idOf } from './names.ts';

/**
 * Parses the rules in the values of `--subsequence`, such as `label interested: Demo` and `finished after 3 days: Win back`; the value
 * `none` means no rules. Throws `invalid_request`, and what `idOf` throws for the campaign.
 */
export async function subsequencesFrom(api: Api, values: readonly string[]) {
  if (values.length === 1 && values[0] === 'none') return [];
  const rules = [];
  for (const { campaign, ...rule } of values.map(ruleOf)) rules.push({ ...rule, campaign_id: await idOf(api, 'campaign', campaign) });
  return rules;
}

function ruleOf(value: string) {
  const [, cause = '', days, campaign = ''] = /^(.*?)(?: after (\d{1,3}) days?)?: *(.*)$/s.exec(value) ?? [];
  const words = causeOf(cause);
  if (words === undefined || campaign === '')
    throw invalid(
      `--subsequence: "${value}" is not a rule; write a cause, a colon and a campaign, such as "finished after 3 days: Win back". The cause ${CAUSE}`,
    );
  return { ...words, wait_days: Number(days ?? 0), campaign };
}
