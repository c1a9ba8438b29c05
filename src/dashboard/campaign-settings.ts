import { parseCampaigns } from '../campaign-files/parse.ts';
import { campaignYaml } from '../campaign-files/write.ts';
import { quantity } from '../core/english.ts';
import { invalid } from '../core/errors.ts';
import { writeSettings } from '../editor/write-settings.ts';
import type { Action } from './action.ts';
import type { Api } from './connection.ts';

type Options = Awaited<ReturnType<Api['campaignOptions']['get']['query']>>;

/** The options of a campaign that are not at their default, each in a few words. */
export function optionWords(options: Options): string[] {
  const { cc, bcc, holidays, more_hours: hours, subsequences, skip_if_in_campaign: skip, provider_match: match } = options;
  const { new_contacts_per_day: firsts, max_per_company_per_day: mostToCompany } = options;
  return [
    hours.length > 0 && `also ${hours.join(', ')}`,
    holidays !== null && `nothing on holidays of ${holidays}`,
    firsts !== null && `${quantity(firsts, 'first email')} a day`,
    mostToCompany !== null && `${quantity(mostToCompany, 'email')} a day to a company`,
    match === 'prefer' && "preferably from the recipient's provider",
    match === 'require' && "only from the recipient's provider",
    skip === 'active' && 'nobody who is in another active campaign',
    skip === 'any' && 'nobody who was in another campaign',
    options.stop_company && 'a reply stops the company',
    options.use_contact_timezone && "in contacts' time zones",
    options.when_unknown === 'continue' && 'continues after unknown deliveries',
    options.spintax && 'choices {a|b}',
    !options.footer && 'no footer',
    !options.track_opens && 'opens not tracked',
    !options.track_clicks && 'clicks not tracked',
    !options.auto_reopen && 'stays completed',
    cc.length > 0 && `cc ${cc.join(', ')}`,
    bcc.length > 0 && `bcc ${bcc.join(', ')}`,
    options.list_id !== null && 'enrols whoever joins its list',
    subsequences.length > 0 && quantity(subsequences.length, 'subsequence'),
  ].filter((words) => words !== false);
}

/** Opens the settings of a campaign, or of its rotation group, in the editor as a campaign file has them, and applies what was changed. */
export const settingsAction = (id: number, name: string): Action => ({
  question: `Change the settings of "${name}" in your editor?`,
  done: `the settings of "${name}" are changed`,
  async run(api, suspend) {
    const { steps: _, ...settings } = await api.campaignFiles.export.query({ id });
    const text = `# The settings of a campaign; docs/campaign-files.md has every key. Its steps stay as they are.\n${campaignYaml(settings)}`;
    // Ink rejects with its own error, so the outcome is carried past it.
    let outcome: Promise<unknown> = Promise.resolve();
    await suspend(async () => {
      outcome = writeSettings(`campaign-${id}.yaml`, text, (changed) => apply(api, settings.name, changed));
      await outcome.catch(() => undefined);
    });
    await outcome;
  },
});

/** Throws `invalid_request` with the first mistake and its line. */
async function apply(api: Api, name: string, text: string): Promise<void> {
  const { campaigns, mistakes } = parseCampaigns(text);
  const [mistake] = mistakes;
  if (mistake !== undefined) throw invalid(`line ${mistake.line}: ${mistake.field === '' ? '' : `${mistake.field}: `}${mistake.message}`);
  const [only, second] = campaigns.map(({ campaign }) => campaign);
  if (only === undefined || second !== undefined || only.name !== name)
    throw invalid(`the file must name the campaign "${name}", and it alone; campaign set --name renames it`);
  const { steps: _, contacts: __, ...settings } = only;
  await api.campaignFiles.applyAll.mutate({ campaigns: [settings] });
}
