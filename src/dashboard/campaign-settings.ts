import { isDeepStrictEqual } from 'node:util';
import { parseCampaigns } from '../campaign-files/parse.ts';
import { campaignYaml } from '../campaign-files/write.ts';
import { invalid } from '../core/errors.ts';
import { writeSettings } from '../editor/write-settings.ts';
import type { Action } from './action.ts';
import type { Api } from './connection.ts';
import { whileSuspended } from './while-suspended.ts';

type Values = Readonly<Record<string, unknown>>;

/** Opens the settings of a campaign, or of its rotation group, as a campaign file in the editor, and applies the changes. */
export const settingsAction = (id: number, name: string): Action => ({
  question: `Change the settings of "${name}" in your editor?`,
  done: `the settings of "${name}" are changed`,
  async run(api, suspend) {
    const { steps: _, ...settings } = await api.campaignFiles.export.query({ id });
    const text = `# The settings of a campaign; docs/campaign-files.md has every key. Its steps stay as they are.\n${campaignYaml(settings)}`;
    await whileSuspended(suspend, () => writeSettings(`campaign-${id}.yaml`, text, (changed) => apply(api, settings.name, text, changed)));
  },
});

/** Applies the differences between two texts. Changes that others made while the editor was open stay. */
async function apply(api: Api, name: string, before: string, after: string): Promise<void> {
  const changed = changedKeys(settingsIn(before, name), settingsIn(after, name));
  await api.campaignFiles.applyAll.mutate({ campaigns: [{ ...changed, name }] });
}

/** Parses the settings. Throws `invalid_request` with the first mistake and its line. */
function settingsIn(text: string, name: string): Values {
  const { campaigns, mistakes } = parseCampaigns(text);
  const [mistake] = mistakes;
  if (mistake !== undefined) throw invalid(`line ${mistake.line}: ${mistake.field === '' ? '' : `${mistake.field}: `}${mistake.message}`);
  const [only, second] = campaigns.map(({ campaign }) => campaign);
  if (only === undefined || second !== undefined || only.name !== name)
    throw invalid(`the file must name the campaign "${name}", and it alone; campaign set --name renames it`);
  const { steps: _, contacts: __, ...settings } = only;
  return settings;
}

/** Returns the keys whose values differ, also within `options`, `track` and `ab_test`; a list is one value. */
function changedKeys(before: Values, after: Values): Values {
  const changed = Object.entries(after).filter(([key, value]) => !isDeepStrictEqual(value, before[key]));
  return Object.fromEntries(
    changed.map(([key, value]) => [key, isGroup(before[key]) && isGroup(value) ? changedKeys(before[key], value) : value]),
  );
}

const isGroup = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
