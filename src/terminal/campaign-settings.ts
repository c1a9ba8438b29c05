import { CAMPAIGN_OPTIONS, type CampaignOptions } from '../campaigns/options/index.ts';
import type { Client } from '../client/create-client.ts';
import { changedOptions } from '../fields/option-text.ts';
import { daysText, hoursText } from './window-text.ts';

type Campaign = Awaited<ReturnType<Client['campaigns']['get']['query']>>;

/** Formats the sending window of a campaign: `Mon–Fri 9–12 and 14–17, Europe/Berlin, not on public holidays of DE-BY`. */
export function windowText(
  { sending_days, sending_hour_start, sending_hour_end, timezone }: Campaign,
  { more_hours, holidays, use_contact_timezone }: CampaignOptions,
): string {
  const hours = hoursText([`${sending_hour_start}-${sending_hour_end}`, ...more_hours]);
  const zone = use_contact_timezone ? `in the zone of each contact, else ${timezone}` : timezone;
  return [`${daysText(sending_days)} ${hours}`, zone, ...(holidays === null ? [] : [`not on public holidays of ${holidays}`])].join(', ');
}

/** The options except those that are shown on a line of their own. */
const { more_hours: _hours, holidays: _holidays, list_id: _list, subsequences: _subsequences, ...OTHERS } = CAMPAIGN_OPTIONS;

/** Returns the other options that differ from their default, as `bcc: crm@example.com`. */
export const otherOptions = (options: CampaignOptions): string[] => changedOptions(OTHERS, options as unknown as Record<string, unknown>);
