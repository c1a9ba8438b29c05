import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { isOpen, nextOpening, usesContactZones } from '../../campaigns/index.ts';
import { MINUTE } from '../../core/clock.ts';
import { inZone, isKnownZone } from '../../core/zone.ts';
import { type Queryable, raw, sql } from '../../db/database.ts';
import { wireTime } from '../../db/wire.ts';
import { notHidden } from '../../events/index.ts';
import type { CampaignState, Group } from '../plan/plan.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { loadCampaignStates } from '../state/campaign-states.ts';

/** Why no mail of an active campaign leaves now though account and campaign may send: windows, limit, interval. */
export async function scheduleReasons(app: App, account: SendingAccount, campaignId: number): Promise<string[]> {
  const now = app.clock.now();
  const campaign = (await loadCampaignStates(app.db, account.id, now, 1)).find((state) => state.id === campaignId);
  if (campaign === undefined) return [];
  const reasons: string[] = [];
  if (!isOpen(account.window, now))
    reasons.push(
      `The sending window of ${account.email} is closed; it opens at ${localTime(nextOpening([account.window], now), account.timezone)}.`,
    );
  reasons.push(...closedWindow(campaign, now));
  if (account.sentToday >= account.dailyLimit) reasons.push(`${account.email} has sent its ${account.dailyLimit} mails of today.`);
  return reasons.length > 0 ? reasons : intervalReasons(account, campaign, now);
}

/** Only the hours of those who wait for a mail count, if anybody does. */
function closedWindow(campaign: CampaignState, now: Date): string[] {
  const waiting = campaign.groups.filter((group) => group.due > 0 || group.nextDue !== null);
  const groups = waiting.length > 0 ? waiting : campaign.groups;
  if (groups.length === 0 || groups.some(({ window }) => isOpen(window, now))) return [];
  const [first] = groups
    .map((group) => ({ group, opening: nextOpening([group.window], now) }))
    .sort((one, other) => (one.opening?.getTime() ?? Number.POSITIVE_INFINITY) - (other.opening?.getTime() ?? Number.POSITIVE_INFINITY));
  if (first === undefined) return [];
  const whose = (first.group as Group).zones === null ? "The campaign's window" : "The campaign's window in its contacts' own time zones";
  return [`${whose} is closed; it opens at ${localTime(first.opening, first.group.window.timezone)}.`];
}

function intervalReasons(account: SendingAccount, campaign: CampaignState, now: Date): string[] {
  if (campaign.groups.every(({ due }) => due === 0) || account.lastBatchAt === null) return [];
  const next = new Date(account.lastBatchAt.getTime() + account.intervalMinutes * MINUTE);
  return next > now
    ? [
        `The next batch of ${account.email} is due at ${wireTime(next)} UTC, ${account.intervalMinutes === 1 ? 'a minute' : `${account.intervalMinutes} minutes`} after the last one.`,
      ]
    : [];
}

const localTime = (at: Date | null, timezone: string) =>
  at === null ? 'no time in sight' : `${inZone(at, timezone).toFormat('yyyy-MM-dd HH:mm')} ${timezone}`;

/** What does not keep mail from leaving but should be known: contacts whose own zone is none. Index: enrolments_active. */
export async function zoneNotes(db: Queryable, caller: Caller, campaignId: number): Promise<string[]> {
  const rows = await db.query<{ timezone: string; contacts: number }>(sql`
    select e.timezone, count(*)::int as contacts from enrolments e join campaigns c on c.id = e.campaign_id
    where e.campaign_id = ${campaignId} and e.status = 'active' and e.timezone is not null and ${usesContactZones('c')}
      and ${notHidden(caller, 'contacts', raw('e.contact_id'))}
    group by e.timezone order by contacts desc, e.timezone`);
  const unknown = rows.filter((row) => !isKnownZone(row.timezone));
  const [example] = unknown;
  if (example === undefined) return [];
  const contacts = unknown.reduce((sum, row) => sum + row.contacts, 0);
  return [
    `${contacts} contact(s) name a time zone that is not known, for example "${example.timezone}"; they get mail in the campaign's hours.`,
  ];
}
