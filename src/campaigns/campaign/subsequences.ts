import { type Caller, visibleIds } from '../../access/index.ts';
import type { Cause } from '../../core/cause-text.ts';
import { invalid } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Subsequence } from '../options/subsequence.ts';

/** A rule as a caller gives it. An omitted label is null, an omitted wait is 0. */
export interface GivenSubsequence {
  on: Cause;
  label?: string | null | undefined;
  wait_days?: number | undefined;
  campaign_id: number;
}

/**
 * Returns the rules as they are stored, with keys in the order of `jsonb`. Throws `invalid_request` if the cause `label` has no label or
 * another cause has one.
 */
export function subsequencesOf(given: readonly GivenSubsequence[]): Subsequence[] {
  return given.map(({ on, label = null, wait_days = 0, campaign_id }, index) => {
    if (on === 'label' && label === null) throw invalid(`subsequences[${index}].label: is required for the cause label`);
    if (on !== 'label' && label !== null) throw invalid(`subsequences[${index}].label: is only for the cause label`);
    return { on, label, wait_days, campaign_id };
  });
}

/**
 * Throws `invalid_request` for a rule that leads back into the sequence itself, that is listed twice, or whose campaign the caller can't
 * see.
 * @param sequence ids of the campaign or of all campaigns of its rotation group
 */
export async function checkSubsequences(tx: Tx, caller: Caller, rules: readonly Subsequence[], sequence: readonly number[]): Promise<void> {
  const ids = rules.map(({ campaign_id }) => campaign_id);
  const known = await visibleIds(tx, caller, 'campaigns', ids);
  const keys = rules.map(({ on, label, campaign_id: id }) => `${on} ${label?.toLowerCase()} ${id}`);
  for (const [index, { campaign_id: id }] of rules.entries()) {
    const field = `subsequences[${index}]`;
    if (!known.has(id)) throw invalid(`${field}.campaign_id: there is no campaign ${id}`);
    if (sequence.includes(id)) throw invalid(`${field}.campaign_id: must be another campaign`);
    if (keys.indexOf(keys[index] ?? '') < index) throw invalid(`${field}: listed twice`);
  }
}
