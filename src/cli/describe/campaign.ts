import type { CampaignOptions } from '../../campaigns/options/index.ts';
import { causeText } from '../../core/cause-text.ts';
import { grouped, quantity } from '../../core/english.ts';
import type { ReportCounts } from '../../reports/index.ts';
import { shownRow, trackingNote } from '../../reports/page/index.ts';
import { otherOptions, windowText } from '../../terminal/campaign-settings.ts';
import { type Fact, factsText } from '../../terminal/facts.ts';
import { localText } from '../../terminal/local-text.ts';
import { stateText } from '../../terminal/states.ts';
import type { Api } from '../client/api.ts';
import { unlessUnreadable } from '../client/api-error.ts';
import { type Rotation, type RotationLine, rotationOf } from '../client/rotation.ts';
import { readReport } from '../reports/read-report.ts';
import { stepsTable } from './steps.ts';
import { whyText } from './why.ts';

type Campaign = Awaited<ReturnType<Api['campaigns']['get']['query']>>;

/** Reads a campaign and the rotation group that it is in, if any. */
export const readCampaign = (api: Api, id: number): Promise<[Campaign, RotationLine | undefined]> =>
  Promise.all([api.campaigns.get.query({ id }), rotationOf(api, id)]);

/**
 * Describes a campaign, or the rotation group that it is in: state, reason, accounts, window, settings that differ, steps and totals.
 * @param read the pending read of the campaign, if the caller has started it
 */
export async function describeCampaign(api: Api, id: number, read = readCampaign(api, id)): Promise<string> {
  // Calls that are made at the same moment are one request to a server. Most campaigns have
  // no group, so the report and the explanation of this campaign alone are read with the rest.
  const [[campaign, group], { campaign_id: _, ...options }, { data: steps }, ...alone] = await Promise.all([
    read,
    api.campaignOptions.get.query({ id }) as Promise<CampaignOptions & { campaign_id: number }>,
    api.steps.list.query({ id }),
    readReport(api, id, undefined, { by: 'step' }),
    api.sending.explain.query({ id }),
  ]);
  const [{ title, accounts, contacts }, [report, explanation], settings, stepsText] = await Promise.all([
    group === undefined ? ofOne(campaign) : ofGroup(api, id, group),
    group === undefined
      ? alone
      : Promise.all([readReport(api, id, group, { by: 'step' }), api.sending.explainRotation.query({ id: group.id })]),
    settingFacts(api, campaign, options),
    steps.length === 0 ? 'It has no steps yet.' : stepsTable(api, id, steps),
  ]);
  const facts: Fact[] = [accounts, ...settings, ['Contacts', contacts], ['So far', sums(report.total)]];
  return [title, whyText(explanation, campaign.timezone), factsText(facts), stepsText].join('\n\n');
}

/** The parts of a description that differ between a campaign and a rotation group. */
interface Summary {
  title: string;
  accounts: Fact;
  contacts: string;
}

const ofOne = ({ id, name, status, is_archived, account_email, contact_count }: Campaign): Summary => ({
  title: `${name} (campaign ${id}): ${stateText(status)}${is_archived ? ', archived' : ''}`,
  accounts: ['Account', account_email],
  contacts: `${grouped(contact_count)} enrolled`,
});

async function ofGroup(api: Api, campaignId: number, group: RotationLine): Promise<Summary> {
  const { members } = await api.rotations.get.query({ id: group.id });
  return {
    title: `${group.name} (campaign ${campaignId}, rotation group ${group.id}): ${stateText(group.status)}`,
    accounts: ['Accounts', members.map(accountOf).join(', ')],
    contacts: `${grouped(group.contacts)} enrolled, ${grouped(group.active)} still in the sequence`,
  };
}

const accountOf = ({ account_email, account_status, is_leaving }: Rotation['members'][number]): string =>
  `${account_email}${account_status === 'active' ? '' : ` (${account_status})`}${is_leaving ? ' (leaving)' : ''}`;

function sums(total: ReportCounts): string {
  const { sent, opened, clicked, replied, bounced } = shownRow(total);
  const seen = [...(opened === null ? [] : [`${opened} opened`]), ...(clicked === null ? [] : [`${clicked} clicked`])];
  const note = trackingNote({ rows: [], total });
  return [`${quantity(sent, 'email')} sent`, ...seen, `${replied} replied`, `${bounced} bounced${note === null ? '' : `. ${note}`}`].join(
    ', ',
  );
}

/** The settings of a campaign: the usual ones, then those that differ from the default. */
async function settingFacts(api: Api, campaign: Campaign, options: CampaignOptions): Promise<Fact[]> {
  const { reply_to, reply_to_connected, ab_test_enabled, ab_split_percent, starts_at } = campaign;
  const b = campaign.sending_hour_start_b === null ? '' : `, group B ${campaign.sending_hour_start_b}–${campaign.sending_hour_end_b}`;
  return [
    ['Sends', windowText(campaign, options)],
    ['Starts', starts_at === null ? null : localText(starts_at, campaign.timezone)],
    ['A/B test', ab_test_enabled ? `${ab_split_percent}% of contacts get variant A${b}` : null],
    [
      'Replies to',
      reply_to === null ? null : `${reply_to}${reply_to_connected ? '' : ', which is not a connected account: replies are not seen'}`,
    ],
    ['List', options.list_id === null ? null : `contacts who join ${await listName(api, options.list_id)} are enrolled`],
    ['Subsequences', (await Promise.all(options.subsequences.map((rule) => ruleText(api, rule)))).join('; ')],
    ['Settings', otherOptions(options).join(', ')],
    ['Shared', campaign.is_shared_to_all ? 'with everyone in the workspace' : null],
  ];
}

async function listName(api: Api, id: number): Promise<string> {
  const list = await unlessUnreadable(api.lists.get.query({ id }), null);
  return list === null ? 'a list that was deleted' : `the list "${list.name}"`;
}

async function ruleText(api: Api, rule: CampaignOptions['subsequences'][number]): Promise<string> {
  const campaign = await unlessUnreadable(api.campaigns.get.query({ id: rule.campaign_id }), null);
  const name = campaign === null ? `campaign ${rule.campaign_id}` : `"${campaign.name}"`;
  return `on ${causeText(rule)}${rule.wait_days === 0 ? '' : ` after ${quantity(rule.wait_days, 'day')}`} to ${name}`;
}
