import { structuredPatch } from 'diff';
import type { DeclaredCampaign } from '../../campaign-files/schema.ts';
import { campaignYaml } from '../../campaign-files/write.ts';

/** Lines that are shown around a change. */
const CONTEXT = 2;

/** The lines in which two states of a campaign differ, written as YAML: `-` before, `+` after. Empty if they are the same. */
export function campaignDiff(before: DeclaredCampaign | null, after: DeclaredCampaign): string {
  const [old, fresh] = [before === null ? '' : campaignYaml(before), campaignYaml(after)];
  const { hunks } = structuredPatch('', '', old, fresh, '', '', { context: CONTEXT });
  return hunks.map(({ lines }) => lines.join('\n')).join('\n  …\n');
}
