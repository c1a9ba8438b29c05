import { type Caller, notHidden } from '../../access/index.ts';
import { enrolmentIs, holidayAt, isOpen, nextOpening, type SendingWindow } from '../../campaigns/index.ts';
import { MINUTE } from '../../core/clock.ts';
import { quantity, withoutFullStop } from '../../core/english.ts';
import { inZone, isKnownZone, localDay, nextLocalDay } from '../../core/zone.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import type { CampaignState, Group } from '../plan/campaign-state.ts';
import { slowUntil } from '../plan/gap.ts';
import type { SendingAccount } from '../state/account-state.ts';

/**
 * Explains why an active campaign of an active account sends nothing now: windows, daily limit, failed connections, interval.
 * Empty if nothing prevents it.
 */
export function scheduleReasons(account: SendingAccount, campaign: CampaignState, now: Date): string[] {
  const reasons: string[] = [];
  if (!isOpen(account.window, now))
    reasons.push(
      `The sending window of ${account.email} is closed; it opens at ${localTime(nextOpening([account.window], now), campaign.timezone)}.`,
    );
  reasons.push(...closedWindow(campaign, now), ...newContactsReason(campaign));
  if (account.dailyLimit === 0) reasons.push(`${account.email} has a daily limit of 0.`);
  else if (account.sentToday >= account.dailyLimit)
    reasons.push(`${account.email} has reached its daily limit of ${quantity(account.dailyLimit, 'email')}.`);
  reasons.push(...connectionReasons(account, campaign, now));
  return reasons.length > 0 ? reasons : intervalReasons(account, campaign, now);
}

/** Explains that the server cannot be reached or has asked us to come back later. */
function connectionReasons(account: SendingAccount, { timezone }: CampaignState, now: Date): string[] {
  const next = [account.connectAfter, batchAfter(account)]
    .filter((at) => at != null)
    .sort((one, other) => other.getTime() - one.getTime())[0];
  if (account.connectionError === null || next === undefined || next <= now) return [];
  const words = withoutFullStop(account.connectionError);
  const failed = `${quantity(account.connectionFailures, 'connection')} in a row to its mail server failed: ${words}`;
  return [`${account.email} waits because ${failed}. The next attempt is due at ${localTime(next, timezone)}.`];
}

/** Returns the time at which the interval after the last batch ends; null before the first batch. */
const batchAfter = ({ lastBatchAt, intervalMinutes }: SendingAccount) =>
  lastBatchAt === null ? null : new Date(lastBatchAt.getTime() + intervalMinutes * MINUTE);

/** Explains that first emails wait for the next day, if nothing else is due. */
function newContactsReason({ groups, newContacts, left, timezone }: CampaignState): string[] {
  const due = groups.filter((group) => group.due > 0);
  if (
    newContacts === undefined ||
    left === undefined ||
    newContacts.left > 0 ||
    due.length === 0 ||
    due.some(({ isFirst }) => isFirst !== true)
  )
    return [];
  return [
    `The campaign has reached its limit of ${quantity(left.newContactsPerDay, 'first email')} a day (new_contacts_per_day); more are sent from ${localTime(newContacts.nextDay, timezone)} on.`,
  ];
}

/** Explains that the campaign's windows are closed. If contacts are waiting for an email, only their windows count. */
function closedWindow(campaign: CampaignState, now: Date): string[] {
  const waiting = campaign.groups.filter((group) => group.due > 0 || group.nextDue !== null);
  const groups = waiting.length > 0 ? waiting : campaign.groups;
  if (groups.length === 0 || groups.some(({ window }) => isOpen(window, now))) return [];
  const [first] = groups
    .map((group) => ({ group, opening: nextOpening([group.window], now) }))
    .sort((one, other) => (one.opening?.getTime() ?? Number.POSITIVE_INFINITY) - (other.opening?.getTime() ?? Number.POSITIVE_INFINITY));
  if (first === undefined) return [];
  const whose =
    (first.group as Group).zones === null ? "The campaign's sending window" : "The campaign's sending window in its contacts' time zones";
  const opens = localTime(first.opening, first.group.window.timezone);
  const day = holidayAt(first.group.window, now);
  if (day !== null) return [`Today is ${day}, a public holiday of ${first.group.window.holidays}; ${lowerFirst(whose)} opens at ${opens}.`];
  return [`${whose} is closed; it opens at ${opens}.${holidaysUntil(first.group.window, now, first.opening)}`];
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Lists, as a sentence, the holidays that keep a window closed until it opens; empty if there are none. */
function holidaysUntil(window: SendingWindow, now: Date, opening: Date | null): string {
  const names = new Set<string>();
  for (let at = now; opening !== null && at < opening; at = nextLocalDay(at, window.timezone)) {
    const day = holidayAt(window, at);
    if (day !== null) names.add(`${localDay(at, window.timezone)} (${day})`);
  }
  return names.size === 0 ? '' : ` Nothing is sent on the public holidays of ${window.holidays}: ${[...names].join(', ')}.`;
}

function intervalReasons(account: SendingAccount, campaign: CampaignState, now: Date): string[] {
  if (campaign.groups.every(({ due }) => due === 0)) return [];
  const slow = slowUntil(account);
  if (slow !== null && slow > now)
    return [
      `${account.email} sends at most ${quantity(account.minuteLimit ?? 0, 'email')} a minute; its batch may last until ${localTime(slow, campaign.timezone)}.`,
    ];
  const next = batchAfter(account);
  return next !== null && next > now
    ? [
        `The next batch of ${account.email} is due at ${localTime(next, campaign.timezone)}, ${quantity(account.intervalMinutes, 'minute')} after the last one.`,
      ]
    : [];
}

/** Formats an instant for users: local time and zone. */
export const localTime = (at: Date | null, timezone: string) =>
  at === null ? 'no time in the near future' : `${inZone(at, timezone).toFormat('yyyy-MM-dd HH:mm')} ${timezone}`;

/**
 * Notes contacts with an unknown time zone, in a campaign that uses those of its contacts. They are emailed anyway. Index:
 * enrolments_active.
 */
export async function zoneNotes(db: Queryable, caller: Caller, campaignId: number): Promise<string[]> {
  const rows = await db.query<{ timezone: string; contacts: number }>(sql`
    select e.timezone, count(*)::int as contacts from enrolments e
    where e.campaign_id = ${campaignId} and ${enrolmentIs('e', 'active')} and e.timezone is not null and ${notHidden(caller, 'contacts', raw('e.contact_id'))}
    group by e.timezone order by contacts desc, e.timezone`);
  const unknown = rows.filter((row) => !isKnownZone(row.timezone));
  const [example] = unknown;
  if (example === undefined) return [];
  const contacts = unknown.reduce((sum, row) => sum + row.contacts, 0);
  return [
    `${quantity(contacts, 'contact has', 'contacts have')} an unknown time zone, for example "${example.timezone}"; the campaign's time zone is used for them.`,
  ];
}
