import { dailyLimitOf } from '../../src/accounts/index.ts';
import { distribute } from '../../src/campaigns/enrolments/distribute.ts';
import type { SendingWindow } from '../../src/campaigns/schedule/window.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import type { SimulatedAccount } from '../../src/sending/plan/simulated-batch.ts';
import type { SimulatedCampaign, SimulatedEnrolment } from '../../src/sending/plan/simulated-queue.ts';
import { runs } from './runs.ts';

export const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
/** Berlin leaves summer time on 25 October, New York on 1 November; Lord Howe enters it, by half an hour, on 4 October. */
export const START = new Date('2026-10-02T00:00:00Z');
export const DAYS = 30;
export const ACCOUNTS = runs(12, 50);
export const CAMPAIGNS = 20;
export const CONTACTS = ACCOUNTS * 400;
const ROTATIONS = 3;
const MEMBERS = 3;

export interface World {
  accounts: SimulatedAccount[];
  campaigns: SimulatedCampaign[];
  /** Enrolments of each account. */
  enrolments: SimulatedEnrolment[][];
  rotations: SimulatedRotation[];
}

/** A rotation group: one sequence in several campaigns, each on an account of its own. */
interface SimulatedRotation {
  /** Campaign and account of each member; one whose account is paused all month gets no contacts. */
  members: { campaignId: number; account: number; isPaused: boolean }[];
  /** Contacts who were enrolled together, by member. */
  waves: Map<number, SimulatedEnrolment[]>[];
}

/** Makes the ramp-up of an account: `start` emails on the first day, `increment` more each day. */
function warmUp(start: number, increment: number): Pick<SimulatedAccount, 'dailyLimit' | 'limitOn'> {
  const ramp = {
    ramp_start: start,
    ramp_increment: increment,
    ramp_ceiling: 60,
    ramp_started_on: START.toISOString().slice(0, 10),
    ramp_days: [],
  };
  return { dailyLimit: start, limitOn: (day, ahead) => dailyLimitOf({ daily_send_limit: 80, ...ramp }, day, ahead) };
}

/** True during every other six hours: the mailbox can then be read. */
const isReadAt = (at: Date) => Math.floor(at.getTime() / (6 * HOUR)) % 2 === 0;

export function makeWorld(seed: number): World {
  const random = seededRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[random.integer(0, values.length - 1)] as Value;
  const hours = (): { startHour: number; endHour: number } => {
    const startHour = random.integer(0, 23);
    const endHour = random.integer(1, 24);
    return startHour === endHour ? { startHour: 8, endHour: 18 } : { startHour, endHour };
  };
  const accounts = Array.from({ length: ACCOUNTS }, (_, index): SimulatedAccount => {
    const batchMin = random.integer(1, 5);
    const batchMax = batchMin + random.integer(0, 5);
    const intervalMinutes = random.integer(5, 45);
    return {
      window: { timezone: pick(ZONES), ...hours(), days: null },
      batchMin,
      batchMax,
      intervalMinutes,
      dailyLimit: random.integer(20, 80),
      sentToday: 0,
      lastBatchAt: null,
      lastCampaignId: null,
      // Every fourth warms up; every third pauses between the mails of a batch.
      ...(index % 4 === 0 ? warmUp(random.integer(2, 6), random.integer(1, 4)) : {}),
      ...(index % 3 === 0 ? { gapMinSeconds: 10, gapMaxSeconds: Math.floor((intervalMinutes * 60) / batchMax) - 1 } : {}),
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
    const windowB = random.integer(0, 2) === 0 ? { ...window, ...hours() } : window;
    // Every third campaign uses its contacts' time zones; some contacts have none, or an unknown one.
    const zones = index % 3 === 0 ? [null, ...ZONES] : [null];
    return {
      id: index + 1,
      timezone,
      groups: zones.flatMap((zone) =>
        [false, true].map((isB) => ({
          isB,
          zones: index % 3 === 0 ? (zone === null ? ['', 'Mars/Phobos'] : [zone]) : null,
          window: { ...(isB ? windowB : window), timezone: zone ?? timezone },
        })),
      ),
      // Every fifth has a mailbox that can't be read half of the time.
      ...(index % 5 === 1 ? { isMailboxRead: isReadAt } : {}),
      startsAt: random.integer(0, 3) === 0 ? new Date(START.getTime() + random.integer(0, 10) * DAY) : null,
    };
  });
  const enrolments = accounts.map((): SimulatedEnrolment[] => []);
  for (let id = 1; id <= CONTACTS; id++) {
    const campaign = pick(campaigns);
    // Every seventh campaign has no email step.
    const steps = Array.from({ length: campaign.id % 7 === 0 ? 0 : 1 + (campaign.id % 4) }, (_, index) => ({
      order: index + 1,
      wait_days: index === 0 ? 0 : 1 + ((campaign.id + index) % 5),
      kind: index === 2 ? ('call' as const) : ('email' as const),
    }));
    (enrolments[random.integer(0, ACCOUNTS - 1)] as SimulatedEnrolment[]).push({
      id,
      campaignId: campaign.id,
      variant: pick([null, 'A', 'B'] as const),
      timezone: pick([null, 'Mars/Phobos', ...ZONES]),
      dueAt: new Date(START.getTime() + random.integer(0, 7 * 24 * 60) * MINUTE),
      isFollowUp: false,
      steps,
    });
  }
  const rotations = Array.from({ length: ROTATIONS }, (_, index) => rotate(random, campaigns, index));
  for (const { members, waves } of rotations)
    for (const wave of waves) for (const { campaignId, account } of members) enrolments[account]?.push(...(wave.get(campaignId) ?? []));
  return { accounts, campaigns, enrolments, rotations };
}

/**
 * Makes a rotation group from one of the campaigns: copies of it on other accounts, and each week a wave of contacts, distributed among
 * those that can send.
 */
function rotate(random: Random, campaigns: SimulatedCampaign[], index: number): SimulatedRotation {
  // Its mailbox can't be read half of the time.
  const original = campaigns[1 + index * 5] as SimulatedCampaign;
  const members = Array.from({ length: MEMBERS }, (_, member) => {
    const id = campaigns.length + 1;
    campaigns.push({ ...original, id });
    return { campaignId: id, account: (index * MEMBERS + member) % ACCOUNTS, isPaused: member === 1 };
  });
  const counts = new Map(members.filter(({ isPaused }) => !isPaused).map(({ campaignId }) => [campaignId, 0]));
  const waves = Array.from({ length: 3 }, (_, week) => {
    const ids = Array.from({ length: 30 + index }, (_, contact) => CONTACTS + ((index * 3 + week) * 100 + contact) + 1);
    const shares = distribute(ids, counts);
    for (const [campaignId, share] of shares) counts.set(campaignId, (counts.get(campaignId) ?? 0) + share.length);
    return new Map([...shares].map(([campaignId, share]) => [campaignId, share.map((id) => waiting(random, id, campaignId, week))]));
  });
  return { members, waves };
}

const waiting = (random: Random, id: number, campaignId: number, week: number): SimulatedEnrolment => ({
  ...{ id, campaignId, variant: null, timezone: null, dueAt: new Date(START.getTime() + (week * 7 + random.integer(0, 1)) * DAY) },
  ...{ isFollowUp: false, steps: [1, 2].map((order) => ({ order, wait_days: (order - 1) * 3, kind: 'email' as const })) },
});
