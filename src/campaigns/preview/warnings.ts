import type { Caller } from '../../access/index.ts';
import { getAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { getCampaign } from '../campaign/read-campaign.ts';
import { nextOpening, type SendingWindow } from '../schedule/window.ts';

/**
 * Collects warnings about a campaign and its account that do not prevent sending: replies that will go unnoticed, sending
 * windows that overlap little or not at all. Throws `not_found`.
 */
export async function campaignWarnings(app: App, caller: Caller, campaignId: number): Promise<string[]> {
  const campaign = await getCampaign(app.db, caller, campaignId);
  const warnings: string[] = [];
  if (!campaign.reply_to_connected)
    warnings.push(
      `replies go to ${campaign.reply_to ?? campaign.account_email}, whose mailbox is not polled: replies and bounces will go unnoticed`,
    );
  const account = await getAccount(app.db, caller, campaign.account_id).catch(() => null);
  if (account === null || account.is_archived) return [...warnings, `the account ${campaign.account_email} is archived or deleted`];
  const campaignWindow: SendingWindow = {
    timezone: campaign.timezone,
    days: campaign.sending_days,
    startHour: campaign.sending_hour_start,
    endHour: campaign.sending_hour_end,
  };
  const accountWindow: SendingWindow = {
    timezone: account.timezone,
    days: null,
    startHour: account.send_window_start_hour,
    endHour: account.send_window_end_hour,
  };
  return [...warnings, ...windowWarnings(campaignWindow, accountWindow, app.clock.now())];
}

/** Warns when the account's window cuts into the campaign's: an email leaves only while both are open. */
export function windowWarnings(campaign: SendingWindow, account: SendingWindow, now: Date): string[] {
  const isInside = campaign.timezone === account.timezone && covers(account, campaign);
  if (isInside) return [];
  const both = `the campaign sends ${hours(campaign)}, the account ${hours(account)}`;
  if (nextOpening([campaign, account], now) === null) return [`${both}: these never overlap, so nothing will be sent`];
  return [`${both}: emails are sent only while both are open`];
}

const hours = ({ startHour, endHour, timezone }: SendingWindow) => `from ${startHour} to ${endHour} (${timezone})`;

/** True when the outer window is open at every hour at which the inner one is. */
function covers(outer: SendingWindow, inner: SendingWindow): boolean {
  const open = ({ startHour, endHour }: SendingWindow, hour: number) =>
    startHour < endHour ? hour >= startHour && hour < endHour : hour >= startHour || hour < endHour;
  return Array.from({ length: 24 }, (_, hour) => hour).every((hour) => !open(inner, hour) || open(outer, hour));
}
