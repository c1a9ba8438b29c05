import { describe, expect, it } from 'vitest';
import { isOpen, type SendingWindow } from '../../src/campaigns/window.ts';
import { DAY, MINUTE } from '../../src/clock.ts';
import { seededRandom } from '../../src/random.ts';
import type { AccountState } from '../../src/sending/plan.ts';
import { type ForecastMail, type SimulatedCampaign, type SimulatedEnrolment, simulateAccount } from '../../src/sending/simulate.ts';
import { addCalendarDays, localDay } from '../../src/zone.ts';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
/** Berlin leaves summer time on 25 October, New York on 1 November; Lord Howe enters it, by half an hour, on 4 October. */
const START = new Date('2026-10-02T00:00:00Z');
const DAYS = 30;
const ACCOUNTS = 50;
const CAMPAIGNS = 20;
const CONTACTS = 20_000;

interface World {
  accounts: AccountState[];
  campaigns: SimulatedCampaign[];
  /** Enrolments of each account. */
  enrolments: SimulatedEnrolment[][];
}

function makeWorld(seed: number): World {
  const random = seededRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[random.integer(0, values.length - 1)] as Value;
  const hours = (): { startHour: number; endHour: number } => {
    const startHour = random.integer(0, 23);
    const endHour = random.integer(1, 24);
    return startHour === endHour ? { startHour: 8, endHour: 18 } : { startHour, endHour };
  };
  const accounts = Array.from({ length: ACCOUNTS }, (): AccountState => {
    const batchMin = random.integer(1, 5);
    return {
      window: { timezone: pick(ZONES), ...hours(), days: null },
      batchMin,
      batchMax: batchMin + random.integer(0, 5),
      intervalMinutes: random.integer(5, 45),
      dailyLimit: random.integer(20, 80),
      sentToday: 0,
      lastBatchAt: null,
      lastCampaignId: null,
    };
  });
  const campaigns = Array.from({ length: CAMPAIGNS }, (_, index): SimulatedCampaign => {
    const timezone = pick(ZONES);
    const window: SendingWindow = {
      timezone,
      ...hours(),
      days: pick([
        [1, 2, 3, 4, 5],
        [1, 2, 3, 4, 5, 6, 7],
        [2, 4],
      ]),
    };
    return {
      id: index + 1,
      timezone,
      window,
      windowB: random.integer(0, 2) === 0 ? { ...window, ...hours() } : null,
      startsAt: random.integer(0, 3) === 0 ? new Date(START.getTime() + random.integer(0, 10) * DAY) : null,
    };
  });
  const enrolments = accounts.map((): SimulatedEnrolment[] => []);
  for (let id = 1; id <= CONTACTS; id++) {
    const campaign = pick(campaigns);
    const steps = Array.from({ length: 1 + (campaign.id % 4) }, (_, index) => ({
      order: index + 1,
      waitDays: index === 0 ? 0 : 1 + ((campaign.id + index) % 5),
      kind: index === 2 ? ('call' as const) : ('email' as const),
    }));
    (enrolments[random.integer(0, ACCOUNTS - 1)] as SimulatedEnrolment[]).push({
      id,
      campaignId: campaign.id,
      variant: campaign.windowB === null ? null : pick(['A', 'B'] as const),
      dueAt: new Date(START.getTime() + random.integer(0, 7 * 24 * 60) * MINUTE),
      isFollowUp: false,
      steps,
    });
  }
  return { accounts, campaigns, enrolments };
}

/** Every rule on every mail of one account. Returns how many mails there were. */
function checkAccount(
  account: AccountState,
  campaigns: readonly SimulatedCampaign[],
  enrolments: readonly SimulatedEnrolment[],
  seed: number,
): number {
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const enrolmentOf = new Map(enrolments.map((enrolment) => [enrolment.id, enrolment]));
  const perDay = new Map<string, number>();
  const lastMail = new Map<number, ForecastMail>();
  const batches = new Map<number, number>();
  let count = 0;
  for (const mail of simulateAccount(START, account, campaigns, enrolments, seededRandom(seed))) {
    if (mail.at.getTime() > START.getTime() + DAYS * DAY) break;
    count++;
    const campaign = campaignOf.get(mail.campaignId) as SimulatedCampaign;
    const enrolment = enrolmentOf.get(mail.enrolmentId) as SimulatedEnrolment;
    const window = enrolment.variant === 'B' ? (campaign.windowB ?? campaign.window) : campaign.window;
    if (!isOpen(account.window, mail.at)) throw new Error(`outside the account's window: ${JSON.stringify(mail)}`);
    if (!isOpen(window, mail.at)) throw new Error(`outside the campaign's window: ${JSON.stringify(mail)}`);
    if (campaign.startsAt !== null && mail.at < campaign.startsAt) throw new Error(`before the start: ${JSON.stringify(mail)}`);
    const day = localDay(mail.at, account.window.timezone);
    perDay.set(day, (perDay.get(day) ?? 0) + 1);
    if ((perDay.get(day) ?? 0) > account.dailyLimit) throw new Error(`more than the daily limit on ${day}`);
    batches.set(mail.at.getTime(), (batches.get(mail.at.getTime()) ?? 0) + 1);

    const before = lastMail.get(mail.enrolmentId);
    const emails = enrolment.steps.filter((step) => step.kind === 'email').map((step) => step.order);
    const expected = before === undefined ? emails[0] : emails[emails.indexOf(before.stepOrder) + 1];
    if (mail.stepOrder !== expected) throw new Error(`step ${mail.stepOrder} instead of ${expected}`);
    const earliest = before === undefined ? enrolment.dueAt : waitAfter(before, enrolment, mail.stepOrder, campaign.timezone);
    if (mail.at < earliest) throw new Error(`before its wait is over: ${JSON.stringify(mail)}`);
    lastMail.set(mail.enrolmentId, mail);
  }
  const times = [...batches.keys()].sort((a, b) => a - b);
  for (const [index, at] of times.entries()) {
    if ((batches.get(at) ?? 0) > account.batchMax) throw new Error('a batch beyond send_batch_max');
    if (index > 0 && at - (times[index - 1] ?? 0) < account.intervalMinutes * MINUTE) throw new Error('two batches within an interval');
  }
  return count;
}

function waitAfter(before: ForecastMail, enrolment: SimulatedEnrolment, step: number, timezone: string): Date {
  return enrolment.steps
    .filter(({ order }) => order > before.stepOrder && order <= step)
    .reduce((at, { waitDays }) => addCalendarDays(at, waitDays, timezone), before.at);
}

/** Whether both windows are ever open at once in the month, so that mail of this enrolment can leave at all. */
function canMeet(account: AccountState, window: SendingWindow, from: Date): boolean {
  for (let at = from.getTime(); at < START.getTime() + 20 * DAY; at += 15 * MINUTE)
    if (isOpen(account.window, new Date(at)) && isOpen(window, new Date(at))) return true;
  return false;
}

describe('30 days of 50 mailboxes, 20 campaigns, 20,000 contacts in five zones across clock changes', () => {
  it('every mail keeps both windows, days, group hours, start, waits, batch, interval and daily limit', () => {
    const world = makeWorld(42);
    let mails = 0;
    for (const [index, account] of world.accounts.entries())
      mails += checkAccount(account, world.campaigns, world.enrolments[index] ?? [], index);
    console.log(`${mails} mails simulated, each checked against every rule`);
    expect(mails).toBeGreaterThan(10_000);
  }, 120_000);

  it('no campaign is starved: whoever shares a mailbox and has a window that meets it gets mail out', () => {
    const world = makeWorld(43);
    for (const [index, account] of world.accounts.slice(0, 10).entries()) {
      const served = new Set<number>();
      for (const mail of simulateAccount(
        START,
        { ...account, dailyLimit: 1_000 },
        world.campaigns,
        world.enrolments[index] ?? [],
        seededRandom(index),
      )) {
        if (mail.at.getTime() > START.getTime() + DAYS * DAY) break;
        served.add(mail.campaignId);
      }
      for (const enrolment of world.enrolments[index] ?? []) {
        const campaign = world.campaigns[enrolment.campaignId - 1] as SimulatedCampaign;
        const window = enrolment.variant === 'B' ? (campaign.windowB ?? campaign.window) : campaign.window;
        if (
          served.has(campaign.id) ||
          !canMeet(account, window, new Date(Math.max(campaign.startsAt?.getTime() ?? 0, START.getTime() + 7 * DAY)))
        )
          continue;
        throw new Error(`campaign ${campaign.id} was starved on account ${index}`);
      }
    }
  }, 120_000);
});
