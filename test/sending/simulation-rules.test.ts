import { expect, it } from 'vitest';
import type { SendingWindow } from '../../src/campaigns/schedule/window.ts';
import { DAY, HOUR } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { groupOf } from '../../src/sending/plan/campaign-state.ts';
import { DayLeft } from '../../src/sending/plan/day-left.ts';
import { simulateAccount } from '../../src/sending/plan/simulate.ts';
import type { ForecastEmail } from '../../src/sending/plan/simulated-batch.ts';
import type { SimulatedCampaign, SimulatedEnrolment } from '../../src/sending/plan/simulated-queue.ts';
import { runs } from '../support/runs.ts';
import { DAYS, makeWorld, START } from '../support/simulated-world.ts';

/** The only public holidays of the month, by country. */
const HOLIDAYS = { AT: '2026-10-26', DE: '2026-10-03', US: '2026-10-12' } as const;
const REGIONS = ['AT', 'DE', 'US'] as const;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Adds all timing rules to a campaign: two windows, holidays, both limits. */
function withRules(campaign: SimulatedCampaign): SimulatedCampaign {
  const holidays = REGIONS[campaign.id % 3] as keyof typeof HOLIDAYS;
  const limits = { new_contacts_per_day: 2 + (campaign.id % 3), max_per_company_per_day: 1 + (campaign.id % 2) };
  const left = new DayLeft(limits, campaign.timezone, START, { first: 0, companies: [] });
  const groups = campaign.groups.flatMap((group) => {
    const window = { ...group.window, more: [{ startHour: 19, endHour: 21 }], holidays };
    return [true, false].map((isFirst) => ({ ...group, window, isFirst }));
  });
  return { ...campaign, groups, holidays, isLimited: true, left, newContacts: { left: left.newContacts, nextDay: left.nextDay } };
}

const withWaits = (enrolment: SimulatedEnrolment): SimulatedEnrolment => ({
  ...enrolment,
  company: enrolment.id % 7 === 0 ? null : `company-${enrolment.id % 30}.example`,
  steps: enrolment.steps.map((step, index) => ({ ...step, ...(index % 2 === 0 ? { wait_hours: 5 } : { business_days: true }) })),
});

const FIELDS: Intl.DateTimeFormatOptions = {
  ...{ hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', weekday: 'short' },
};
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the local date, weekday (from 1) and hour, computed without the planner's library. */
function local(at: Date, timeZone: string) {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...FIELDS });
  formats.set(timeZone, format);
  const parts = format.formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: WEEKDAYS.indexOf(part('weekday')) + 1,
    hour: Number(part('hour')),
  };
}

function faultOfWindow({ timezone, days, startHour, endHour, more = [], holidays }: SendingWindow, at: Date): string | null {
  const { date, weekday, hour } = local(at, timezone);
  if (date === HOLIDAYS[holidays as keyof typeof HOLIDAYS]) return 'on a holiday';
  const isDay = (day: number) => days === null || days.includes(day);
  const fits = [{ startHour, endHour }, ...more].some(({ startHour: start, endHour: end }) => {
    if (start < end) return hour >= start && hour < end && isDay(weekday);
    return (hour >= start && isDay(weekday)) || (hour < end && isDay(((weekday + 5) % 7) + 1));
  });
  return fits ? null : 'outside of the windows';
}

/** Counts the business days from one local date to another. */
function businessDays(from: string, to: string, holiday: string): number {
  let count = 0;
  for (let day = Date.parse(from) + DAY; day <= Date.parse(to); day += DAY) {
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    if (!isWeekend && new Date(day).toISOString().slice(0, 10) !== holiday) count++;
  }
  return count;
}

function faultOfWait(
  campaign: SimulatedCampaign,
  enrolment: SimulatedEnrolment,
  before: ForecastEmail,
  email: ForecastEmail,
): string | null {
  const steps = enrolment.steps.filter(({ order }) => order > before.stepOrder && order <= email.stepOrder);
  const hours = steps.reduce((sum, { wait_hours = 0 }) => sum + wait_hours, 0);
  if (email.at.getTime() - before.at.getTime() < hours * HOUR) return 'before its hours are over';
  const [from, to] = [before, email].map(({ at }) => local(at, campaign.timezone).date) as [string, string];
  const needed = steps.reduce((sum, { wait_days, business_days }) => sum + (business_days ? wait_days : 0), 0);
  const passed = businessDays(from, to, HOLIDAYS[campaign.holidays as keyof typeof HOLIDAYS]);
  return passed < needed ? `after ${passed} of ${needed} business days` : null;
}

it('C4: over a month with every rule of when, no email breaks one: windows, holidays, waits, new contacts, emails to a company', () => {
  const world = makeWorld(46);
  const seen = { emails: 0, evening: 0, atLimit: 0 };
  for (const [index, account] of world.accounts.slice(0, runs(3, 50)).entries()) {
    const campaigns = world.campaigns.map(withRules);
    const enrolments = new Map((world.enrolments[index] ?? []).map((enrolment) => [enrolment.id, withWaits(enrolment)]));
    const last = new Map<number, ForecastEmail>();
    const counts = new Map<string, number>();
    const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1).get(key) ?? 0;
    for (const email of simulateAccount(START, account, campaigns, [...enrolments.values()], seededRandom(index), DAYS)) {
      const campaign = campaigns[email.campaignId - 1] as SimulatedCampaign;
      const enrolment = enrolments.get(email.enrolmentId) as SimulatedEnrolment;
      const window = groupOf(campaign.groups, enrolment)?.window as SendingWindow;
      const before = last.get(email.enrolmentId);
      const { date } = local(email.at, campaign.timezone);
      const most = { first: 2 + (campaign.id % 3), company: 1 + (campaign.id % 2) };
      const first = before === undefined ? count(`${campaign.id} ${date}`) : 0;
      const company = enrolment.company === null ? 0 : count(`${campaign.id} ${date} ${enrolment.company}`);
      const faults = [
        faultOfWindow(window, email.at),
        before === undefined ? null : faultOfWait(campaign, enrolment, before, email),
        first > most.first ? `first email ${first} of the day` : null,
        company > most.company ? `email ${company} of the day to a company` : null,
      ].filter((fault) => fault !== null);
      if (faults.length > 0) throw new Error(`${faults.join(', ')}: ${JSON.stringify(email)}`);
      last.set(email.enrolmentId, email);
      seen.emails++;
      if (local(email.at, window.timezone).hour >= 19) seen.evening++;
      if (first === most.first) seen.atLimit++;
    }
  }
  console.log(`${seen.emails} emails, ${seen.evening} of them in the evening; ${seen.atLimit} days reached the limit of new contacts`);
  expect(seen.emails).toBeGreaterThan(500);
  expect(Math.min(seen.evening, seen.atLimit)).toBeGreaterThan(20);
}, 120_000);
