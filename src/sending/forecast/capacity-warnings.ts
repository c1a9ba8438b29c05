import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type CampaignWarning, warn } from '../../campaigns/index.ts';
import { quantity } from '../../core/english.ts';
import { readCalendar } from './calendar.ts';
import { causesText } from './calendar-text.ts';

const DAYS = 30;

/**
 * Warns of contacts whose sequence will not end within 30 days, given everything else that the campaign's accounts send. Treats the
 * campaign as active. Leaves out held contacts and accounts that may not send, which have warnings of their own. Throws `not_found`.
 */
export async function capacityWarnings(app: App, caller: Caller, campaignId: number): Promise<CampaignWarning[]> {
  const { campaigns } = await readCalendar(app, caller, { days: DAYS, campaign_id: campaignId }, [campaignId]);
  const causes = campaigns.flatMap((campaign) => campaign.causes).filter(({ reason }) => reason !== 'not_planned');
  const contacts = causes.reduce((sum, cause) => sum + cause.contacts, 0);
  if (contacts === 0) return [];
  const more = causes.some(({ reason }) => reason === 'daily_limit' || reason === 'sending_hours') ? '; more accounts would help' : '';
  const message = `${quantity(contacts, 'contact')} will not finish within ${DAYS} days: ${causesText(causes)}${more}`;
  return [warn('takes_long', message, { contacts })];
}
