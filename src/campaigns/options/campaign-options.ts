import { choice, idOrNone, integerOrNone, list, type OptionValues, objects, onOff, textOrNone } from '../../fields/option.ts';
import { HOURS } from '../schedule/hours.ts';
import type { Subsequence } from './subsequence.ts';

/**
 * The settings of a campaign besides the record that the API specification fixes. To add one, add an entry here and a column in a
 * migration. In campaign files they are keys of `options`, unless `campaign-files/schema.ts` names another place.
 */
export const CAMPAIGN_OPTIONS = {
  use_contact_timezone: onOff({
    text: "Send by each contact's own time zone, if the custom field `timezone` has one",
    default: false,
  }),
  auto_reopen: onOff({ text: 'Reopen a completed campaign when a contact is enrolled', default: true }),
  track_opens: onOff({ text: 'Add an image to track opens', default: true }),
  track_clicks: onOff({ text: 'Rewrite links to track clicks', default: true }),
  stop_company: onOff({ text: 'Stop contacts with the same email domain when one of them replies', default: false }),
  footer: onOff({ text: 'Add the workspace footer to emails without an unsubscribe link', default: true }),
  spintax: onOff({ text: 'Take one text of each choice {a|b} in subjects and bodies', default: false }),
  when_unknown: choice(['wait', 'continue'], {
    text: 'After an email of unknown delivery, wait for proof or your decision, or continue',
    default: 'wait',
  }),
  when_colleague_replies: choice(['stop', 'continue'], {
    text: 'When a colleague of the contact answers, stop the sequence, or continue it',
    default: 'stop',
  }),
  more_hours: list(
    { of: HOURS, most: 5 },
    { text: 'Sending hours beside those of the campaign, on the same days', example: ['14-17'], flag: null },
  ),
  holidays: textOrNone(
    { of: 'region', max: 20, letters: 'upper' },
    {
      text: 'Send nothing on public holidays of this country (ISO 3166-1) or part of it',
      example: 'DE-BY',
      placeholder: 'REGION',
    },
  ),
  cc: list(
    { of: 'email', most: 5 },
    { text: 'Addresses that get a visible copy (Cc) of each email', example: ['boss@example.com'], placeholder: 'EMAILS' },
  ),
  bcc: list({ of: 'email', most: 5 }, { text: 'Addresses to copy blind (Bcc)', example: ['crm@example.com'], placeholder: 'EMAILS' }),
  new_contacts_per_day: integerOrNone(1, 10_000, {
    text: 'Maximum first emails per day, in all campaigns of its rotation group together',
    example: 40,
    placeholder: 'N',
  }),
  max_per_company_per_day: integerOrNone(1, 1_000, {
    text: 'Maximum emails per day to one domain, unless it is a mailbox provider such as gmail.com',
    example: 2,
    placeholder: 'N',
  }),
  skip_if_in_campaign: choice(['none', 'active', 'any'], {
    text: 'Do not enrol contacts who are active in another campaign, or were in any',
    default: 'none',
  }),
  skip_risky: onOff({
    text: 'Leave out contacts whose address was found bad or risky: do not enrol them, and hold those enrolled',
    default: false,
  }),
  provider_match: choice(['off', 'prefer', 'require'], {
    text: 'Email contacts at Google or Microsoft from accounts of the group at the same provider: if one can send (prefer), or only then (require)',
    default: 'off',
  }),
  list_id: idOrNone({
    text: 'List whose new members are enrolled as they join it',
    example: 6,
    flag: null,
  }),
  subsequences: objects<Subsequence>(20, {
    text: 'Enrol contacts into other campaigns, which ends their enrolment in this one',
    flag: null,
  }),
};

/** The values of a campaign's options. */
export type CampaignOptions = OptionValues<typeof CAMPAIGN_OPTIONS>;

export type WhenUnknown = CampaignOptions['when_unknown'];
export type WhenColleagueReplies = CampaignOptions['when_colleague_replies'];

/** Contacts of other campaigns that a campaign does not enrol: none of them, those who are active there, or any. */
export type InCampaign = CampaignOptions['skip_if_in_campaign'];

/**
 * Rule for contacts at Google or Microsoft in a rotation group: send from any account, from one at the same provider if one can send, or
 * only from one at the same provider.
 */
export type ProviderMatch = CampaignOptions['provider_match'];

/** The addresses that get copies of an email: `cc` is visible to all recipients, `bcc` is not. */
export type CopyAddresses = Pick<CampaignOptions, 'cc' | 'bcc'>;
