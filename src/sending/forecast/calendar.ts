import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Caller, notHidden, requireVisible, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { enrolmentIs, isRunning } from '../../campaigns/index.ts';
import { DAY } from '../../core/clock.ts';
import { localDay, zoneOrUtc } from '../../core/zone.ts';
import { type Queryable, raw, sql } from '../../db/statement.ts';
import { simulateTogether } from '../plan/simulate.ts';
import type { ForecastEmail } from '../plan/simulated-batch.ts';
import type { Calendar, CalendarAccount, CalendarSequence } from './calendar-shape.ts';
import { calendarText } from './calendar-text.ts';
import { type CalendarDay, DailyPlan } from './daily-plan.ts';
import { hiddenFrom, type Simulation, simulationsFor } from './simulation.ts';
import { type CalendarCampaign, Unfinished } from './unfinished.ts';

/** Number of emails simulated before the event loop may run other work of the process. */
const EMAILS_PER_TURN = 1_000;

export interface CalendarFilter {
  days: number;
  account_id?: number | undefined;
  campaign_id?: number | undefined;
}

/**
 * Simulates all accounts of the workspace together, because they share limits, and counts their emails by account and local day. Emails
 * that are hidden from the caller use up limits, but are not counted. Throws `not_found` for an account or campaign that the caller may not
 * see.
 * @param filter the account and the campaign to show; all are simulated
 * @param also campaigns to treat as active
 */
export async function readCalendar(app: App, caller: Caller, filter: CalendarFilter, also: readonly number[] = []): Promise<Calendar> {
  if (filter.account_id !== undefined) await requireVisible(app.db, caller, 'accounts', filter.account_id);
  if (filter.campaign_id !== undefined) await requireVisible(app.db, caller, 'campaigns', filter.campaign_id);
  const now = app.clock.now();
  const senders = await readSenders(app.db, caller);
  const sequences = await readSequences(app.db, caller, also);
  const ids = sequences.map(({ id }) => id);
  const hidden = await hiddenFrom(app.db, caller, ids);
  const simulations = await loadAll(app, senders, filter.days, also);
  const zones = senders.map(({ timezone }) => timezone);
  const days = daysFrom(now, filter.days, zones);
  const until = days.at(-1) as string;
  const shown = sequences.filter(({ id, is_visible }) => is_visible && (filter.campaign_id ?? id) === id);
  const shownIds = new Set(shown.map(({ id }) => id));
  const isShown = (email: ForecastEmail, accountId: number) =>
    shownIds.has(email.campaignId) && !hidden.has(email.enrolmentId) && (filter.account_id ?? accountId) === accountId;
  const planned = new Map(simulations.map(({ account }) => [account.id, new DailyPlan(account, now)]));
  const unfinished = new Unfinished(sequences, simulations, planned, { now, until });
  const emailsOf = new Map<number, number>();
  const generators = simulations.map(({ emails }) => emails);
  let count = 0;
  for (const email of simulateTogether(generators, () => false)) {
    if (++count % EMAILS_PER_TURN === 0) await nextTurn();
    const { account } = simulations[email.index] as Simulation;
    const day = localDay(email.at, account.timezone);
    if (day > until) continue;
    const isCounted = isShown(email, account.id);
    planned.get(account.id)?.add(day, isCounted);
    unfinished.add(email);
    if (isCounted) emailsOf.set(email.campaignId, (emailsOf.get(email.campaignId) ?? 0) + 1);
  }
  const shownSenders = senders.filter(({ id, is_visible }) => is_visible && (filter.account_id ?? id) === id);
  const accounts = shownSenders.map(({ id, email }): CalendarAccount => {
    const own = days.map((day): CalendarDay => planned.get(id)?.on(day) ?? { day, emails: 0, free: 0 });
    return { account_id: id, account_email: email, can_send: planned.has(id), ...sumOf(own), days: own };
  });
  const campaigns = shown.map(({ id, name, contacts }): CalendarSequence => {
    const causes = unfinished.causes(id, contacts, hidden, filter.account_id);
    const left = causes.reduce((sum, cause) => sum + cause.contacts, 0);
    return { campaign_id: id, name, emails: emailsOf.get(id) ?? 0, contacts, unfinished: left, causes };
  });
  const perDay = days.map((day, index) => ({ day, ...sumOf(accounts.map((account) => account.days[index] as CalendarDay)) }));
  const calendar = { from: days[0] as string, until, ...sumOf(accounts), days: perDay, accounts, campaigns };
  return { ...calendar, summary: calendarText(calendar) };
}

async function loadAll(app: App, senders: readonly Sender[], days: number, also: readonly number[]): Promise<Simulation[]> {
  // The last local day ends up to a day later than `days` times 24 hours from now.
  const simulationOf = simulationsFor(app, days + 1, also);
  const simulations: Simulation[] = [];
  for (const { id } of senders) {
    const simulation = await simulationOf(id);
    if (simulation !== null) simulations.push(simulation);
  }
  return simulations;
}

const sumOf = (parts: readonly { emails: number; free: number }[]) => ({
  emails: parts.reduce((sum, { emails }) => sum + emails, 0),
  free: parts.reduce((sum, { free }) => sum + free, 0),
});

/** Lists the `count` days of the calendar, starting with the earliest local day of the accounts. */
function daysFrom(now: Date, count: number, timezones: readonly string[]): string[] {
  const [first] = (timezones.length === 0 ? ['UTC'] : timezones).map((timezone) => localDay(now, zoneOrUtc(timezone))).sort();
  const start = Date.parse(`${first}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => new Date(start + index * DAY).toISOString().slice(0, 10));
}

interface Sender {
  id: number;
  email: string;
  timezone: string;
  is_visible: boolean;
}

/** Reads the live accounts of the workspace, including hidden ones, because they share limits with the others. */
const readSenders = (db: Queryable, caller: Caller): Promise<Sender[]> =>
  db.query(sql`
    select a.id, a.email, a.timezone, (${visible(caller, 'accounts', 'a')}) as is_visible from accounts a
    where a.workspace_id = ${caller.workspaceId} and a.deleted_at is null and not a.is_archived order by a.email`);

/**
 * Reads the workspace's running campaigns, with the number of contacts in their sequences that the caller sees. Index: enrolments_active.
 */
const readSequences = (db: Queryable, caller: Caller, also: readonly number[]): Promise<CalendarCampaign[]> =>
  db.query(sql`
    select c.id, c.name, c.timezone, c.new_contacts_per_day, c.max_per_company_per_day, coalesce(c.rotation_group_id, c.id) as sequence,
      (${visible(caller, 'campaigns', 'c')}) as is_visible,
      (select count(*)::int from enrolments e where e.campaign_id = c.id and ${enrolmentIs('e', 'active')}
        and ${notHidden(caller, 'contacts', raw('e.contact_id'))}) as contacts
    from campaigns c where c.workspace_id = ${caller.workspaceId} and (${isRunning('c')} or c.id = any(${also}::int[])) order by c.name, c.id`);
