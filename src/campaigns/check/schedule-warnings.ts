import { quantity } from '../../core/english.ts';
import { accountWindow, campaignWindow } from '../schedule/next-send.ts';
import { type Hours, nextOpening, type SendingWindow } from '../schedule/window.ts';
import { type CampaignFacts, contactsBefore } from './campaign-facts.ts';
import { block, type CampaignWarning, warn } from './warning.ts';

/** Number of days that a campaign may take to send to its enrolled contacts without a warning. */
export const LONG_DAYS = 30;

/** Returns warnings about when a campaign sends: windows that overlap little or never, and emails that take more than 30 days. */
export function scheduleWarnings(facts: CampaignFacts, now: Date): CampaignWarning[] {
  if (!facts.is_account_live) return [];
  const campaign = campaignWindow({ ...facts, contact_timezone: null, variant: null });
  const account = accountWindow(facts);
  // In a contact's time zone, the campaign's window may meet the account's even if it never does in the campaign's zone.
  const ofWindows = facts.use_contact_timezone ? [] : windowWarnings(campaign, account, now);
  return [...ofWindows, ...durationWarnings(facts, Math.min(openHours(campaign), openHours(account)))];
}

/** Warns when the account's window cuts into the campaign's: an email leaves only while both are open. */
export function windowWarnings(campaign: SendingWindow, account: SendingWindow, now: Date): CampaignWarning[] {
  // Time zones matter only if the account's window closes.
  const isInside = openHours(account) === DAY_HOURS.length || (campaign.timezone === account.timezone && covers(account, campaign));
  if (isInside) return [];
  const both = `the campaign sends ${hours(campaign)}, the account ${hours(account)}`;
  if (nextOpening([campaign, account], now) === null)
    return [block('windows_never_overlap', `${both}: these never overlap, so nothing will be sent`)];
  return [warn('windows_overlap_in_part', `${both}: emails are sent only while both are open`)];
}

const hours = (window: SendingWindow) => `${allHours(window).map(fromTo).join(' and ')} (${window.timezone})`;
const fromTo = ({ startHour, endHour }: Hours) => `from ${startHour} to ${endHour}`;
const allHours = (window: SendingWindow): readonly Hours[] => [window, ...(window.more ?? [])];

/** True if the outer window is open at every hour at which the inner one is. */
function covers(outer: SendingWindow, inner: SendingWindow): boolean {
  return DAY_HOURS.every((hour) => !hasHour(inner, hour) || hasHour(outer, hour));
}

const DAY_HOURS = Array.from({ length: 24 }, (_, hour) => hour);

const hasHour = (window: SendingWindow, hour: number): boolean =>
  allHours(window).some(({ startHour, endHour }) =>
    startHour < endHour ? hour >= startHour && hour < endHour : hour >= startHour || hour < endHour,
  );

/** Number of hours of a day in a window. */
const openHours = (window: SendingWindow) => DAY_HOURS.filter((hour) => hasHour(window, hour)).length;

/**
 * Warns if the enrolled emails take more than 30 days. Assumes that the account sends for this campaign alone, in batches of average size.
 */
function durationWarnings(facts: CampaignFacts, windowHours: number): CampaignWarning[] {
  const emails = facts.steps.reduce((sum, { kind, step_order }) => sum + (kind === 'email' ? contactsBefore(facts, step_order) : 0), 0);
  const batches = (windowHours * 60) / facts.send_batch_interval_minutes;
  const aDay = Math.min(facts.daily_send_limit, (batches * (facts.send_batch_min + facts.send_batch_max)) / 2);
  const days = Math.ceil(emails / ((aDay * facts.sending_days.length) / 7));
  if (emails === 0 || aDay === 0 || days <= LONG_DAYS) return [];
  return [
    warn('takes_long', `${quantity(emails, 'email')} take about ${quantity(days, 'day')}, at ${Math.floor(aDay)} on each day of sending`, {
      contacts: contactsBefore(facts, facts.steps.length),
    }),
  ];
}
