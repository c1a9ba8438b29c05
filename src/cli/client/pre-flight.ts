import { quantity } from '../../core/english.ts';
import { conflict } from '../../core/errors.ts';
import type { Api } from './api.ts';

export type Warnings = Awaited<ReturnType<Api['campaigns']['warnings']['query']>>['data'];

/**
 * Checks a campaign, or its rotation group, before it is activated. Throws `conflict` if something keeps its emails from leaving,
 * unless it is forced.
 */
export async function preFlight(api: Api, id: number, isForced: boolean): Promise<Warnings> {
  const { data: warnings } = await api.campaigns.warnings.query({ id });
  const [first, ...others] = warnings.filter(({ is_blocking }) => is_blocking);
  if (first === undefined || isForced) return warnings;
  const more = others.length === 0 ? '' : ` (and ${quantity(others.length, 'more problem')})`;
  throw conflict(`not activated: ${first.message}${more}; see: outreach campaign check ${id}, or pass --force`);
}

/**
 * Returns the warnings to print after a campaign was activated: those found before, or checked again if its start has changed.
 * @param starts its start before and now, as the API has it
 */
export const warningsAfterStart = async (
  api: Api,
  id: number,
  found: Warnings,
  starts: readonly [string | null, string | null],
): Promise<Warnings> => (starts[0] === starts[1] ? found : (await api.campaigns.warnings.query({ id })).data);

/** Returns the command to run once a campaign has been checked and is fine. */
export async function nextOnceChecked(api: Api, id: number): Promise<string> {
  const { status } = await api.campaigns.get.query({ id });
  return `campaign ${status === 'draft' || status === 'paused' ? 'activate' : 'explain'} ${id}`;
}
