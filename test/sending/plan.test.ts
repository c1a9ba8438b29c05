import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpen, nextOpening, type SendingWindow } from '../../src/campaigns/schedule/window.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { localDay } from '../../src/core/zone.ts';
import { type CampaignState, type Group, groupOf } from '../../src/sending/plan/campaign-state.ts';
import { allocateFairly } from '../../src/sending/plan/fair-share.ts';
import { type PlannedAccount, planBatch } from '../../src/sending/plan/plan.ts';
import { simulateAccount } from '../../src/sending/plan/simulate.ts';

const NOON = new Date('2026-07-07T12:00:00Z');
const always: SendingWindow = { timezone: 'UTC', startHour: 0, endHour: 24, days: null };

const account = (over: Partial<PlannedAccount> = {}): PlannedAccount => ({
  window: always,
  batchMin: 3,
  batchMax: 3,
  intervalMinutes: 10,
  dailyLimit: 50,
  sentToday: 0,
  lastBatchAt: null,
  lastCampaignId: null,
  ...over,
});

const group = (over: Partial<Group> = {}): Group => ({
  isB: false,
  zones: null,
  window: always,
  due: 10,
  nextDue: null,
  ...over,
});

const campaign = (id: number, over: Partial<CampaignState> = {}): CampaignState => ({
  id,
  timezone: 'UTC',
  startsAt: null,
  groups: [group()],
  ...over,
});

const total = (allocations: { count: number }[]) => allocations.reduce((sum, { count }) => sum + count, 0);

describe('a batch', () => {
  it('is a random count between send_batch_min and send_batch_max', () => {
    const counts = new Set(
      Array.from({ length: 200 }, (_, seed) =>
        total(planBatch(NOON, account({ batchMin: 1, batchMax: 4 }), [campaign(1)], seededRandom(seed)).allocations),
      ),
    );
    expect([...counts].sort()).toEqual([1, 2, 3, 4]);
  });

  it('stops at daily_send_limit of the local day and comes again when that day is over', () => {
    const berlin = { ...always, timezone: 'Europe/Berlin' };
    const plan = planBatch(NOON, account({ window: berlin, dailyLimit: 50, sentToday: 48 }), [campaign(1)], seededRandom(1));
    expect(total(plan.allocations)).toBe(2);
    const over = planBatch(NOON, account({ window: berlin, dailyLimit: 50, sentToday: 50 }), [campaign(1)], seededRandom(1));
    expect(over.allocations).toEqual([]);
    expect(over.nextBatchAt?.toISOString()).toBe('2026-07-07T22:00:00.000Z');
  });

  it('comes send_batch_interval_minutes after the one before', () => {
    const plan = planBatch(NOON, account({ lastBatchAt: new Date(NOON.getTime() - 4 * MINUTE) }), [campaign(1)], seededRandom(1));
    expect(plan.allocations).toEqual([]);
    expect(plan.nextBatchAt).toEqual(new Date(NOON.getTime() + 6 * MINUTE));
  });

  it('needs both the campaign window and the account window', () => {
    const newYork = { ...always, timezone: 'America/New_York', startHour: 9, endHour: 17 };
    const plan = planBatch(NOON, account(), [campaign(1, { groups: [group({ window: newYork })] })], seededRandom(1));
    expect(plan.allocations).toEqual([]);
    expect(plan.nextBatchAt?.toISOString()).toBe('2026-07-07T13:00:00.000Z');
  });

  it('sends nothing before starts_at', () => {
    const startsAt = new Date(NOON.getTime() + 3 * HOUR);
    const plan = planBatch(NOON, account(), [campaign(1, { startsAt })], seededRandom(1));
    expect(plan).toMatchObject({ allocations: [], nextBatchAt: startsAt });
  });

  it('sends group B in the hours of B only, and group A in those of A', () => {
    const windowB = { ...always, startHour: 15, endHour: 18 };
    const groups = [group({ due: 2 }), group({ isB: true, window: windowB, due: 5 })];
    const plan = planBatch(NOON, account({ batchMin: 9, batchMax: 9 }), [campaign(1, { groups })], seededRandom(1));
    expect(plan.allocations).toEqual([{ campaignId: 1, count: 2, groups: [groups[0]] }]);
  });

  it('sends in the hours of the contacts’ own zones where the campaign goes by them', () => {
    const inZone = (timezone: string) => group({ zones: [timezone], window: { ...always, timezone, startHour: 9, endHour: 17 }, due: 4 });
    const [tokyo, berlin, newYork] = [inZone('Asia/Tokyo'), inZone('Europe/Berlin'), inZone('America/New_York')];
    const plan = planBatch(
      NOON,
      account({ batchMin: 9, batchMax: 9 }),
      [campaign(1, { groups: [tokyo, berlin, newYork] })],
      seededRandom(1),
    );
    expect(plan.allocations).toEqual([{ campaignId: 1, count: 4, groups: [berlin] }]);
    const later = planBatch(NOON, account(), [campaign(1, { groups: [tokyo, newYork] })], seededRandom(1));
    expect(later).toMatchObject({ allocations: [], nextBatchAt: new Date('2026-07-07T13:00:00Z') });
  });

  it('looks again in a week where the windows don’t meet now: a clock change may bring them together', () => {
    const [early, late] = [
      { ...always, startHour: 0, endHour: 6 },
      { ...always, startHour: 12, endHour: 18 },
    ];
    const plan = planBatch(NOON, account({ window: early }), [campaign(1, { groups: [group({ window: late })] })], seededRandom(1));
    expect(plan).toMatchObject({ allocations: [], nextBatchAt: new Date('2026-07-15T00:00:00Z') });
  });

  it('is asleep when nothing is in sight', () => {
    expect(planBatch(NOON, account(), [campaign(1, { groups: [group({ due: 0 })] })], seededRandom(1)).nextBatchAt).toBeNull();
  });
});

describe('fair share', () => {
  it('is allocated round-robin, and what one campaign cannot use goes to the others', () => {
    const demands = [
      { campaignId: 1, available: 1 },
      { campaignId: 2, available: 9 },
      { campaignId: 3, available: 9 },
    ];
    expect(allocateFairly(7, demands, null).shares).toEqual(
      new Map([
        [1, 1],
        [2, 3],
        [3, 3],
      ]),
    );
  });

  it('counts the slots that a campaign has used already: allocated again, all come out as if allocated once', () => {
    const demands = [
      { campaignId: 1, available: 9, used: 0 },
      { campaignId: 2, available: 9, used: 2 },
    ];
    expect(allocateFairly(3, demands, null).shares).toEqual(new Map([[1, 3]]));
    expect(allocateFairly(4, demands, null).shares).toEqual(
      new Map([
        [1, 3],
        [2, 1],
      ]),
    );
  });

  it('treats campaigns alike over time, however small the batches', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 }), (size, campaigns) => {
        const served = new Map<number, number>();
        let last: number | null = null;
        for (let batch = 0; batch < 60; batch++) {
          const allocated = allocateFairly(
            size,
            Array.from({ length: campaigns }, (_, index) => ({ campaignId: index + 1, available: 100 })),
            last,
          );
          last = allocated.lastServed;
          for (const [id, count] of allocated.shares) served.set(id, (served.get(id) ?? 0) + count);
        }
        const counts = [...served.values()];
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('allocates the whole batch or all there is, and never more than a campaign has', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.array(fc.nat(12), { maxLength: 8 }), fc.option(fc.nat(9), { nil: null }), (size, available, last) => {
        const demands = available.map((count, index) => ({ campaignId: index + 1, available: count }));
        const { shares } = allocateFairly(size, demands, last);
        for (const [id, count] of shares) expect(count).toBeLessThanOrEqual(demands[id - 1]?.available ?? 0);
        expect([...shares.values()].reduce((sum, count) => sum + count, 0)).toBe(
          Math.min(
            size,
            available.reduce((sum, count) => sum + count, 0),
          ),
        );
      }),
    );
  });
});

describe('over weeks and clock changes', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
  const windows = fc
    .record({
      timezone: fc.constantFrom(...zones),
      startHour: fc.integer({ min: 0, max: 23 }),
      endHour: fc.integer({ min: 1, max: 24 }),
      days: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), { nil: null }),
    })
    .filter((window) => window.startHour !== window.endHour);

  it('no mail leaves outside either window, none in the same interval, and an open window is used', () => {
    fc.assert(
      fc.property(
        windows,
        windows,
        fc.constantFrom('2026-03-06', '2026-10-23', '2026-10-30', '2026-04-03'),
        fc.nat(),
        (accountWindow, window, start, seed) => {
          let now = new Date(`${start}T00:00:00Z`);
          const end = now.getTime() + 5 * DAY;
          let lastBatchAt: Date | null = null;
          const random = seededRandom(seed);
          while (now.getTime() < end) {
            const plan = planBatch(
              now,
              account({ window: { ...accountWindow, days: null }, lastBatchAt, dailyLimit: 1e9 }),
              [campaign(1, { groups: [group({ window })] })],
              random,
            );
            if (plan.allocations.length > 0) {
              expect(isOpen({ ...accountWindow, days: null }, now)).toBe(true);
              expect(isOpen(window, now)).toBe(true);
              if (lastBatchAt !== null) expect(now.getTime() - lastBatchAt.getTime()).toBeGreaterThanOrEqual(10 * MINUTE);
              lastBatchAt = now;
            }
            if (plan.nextBatchAt === null) return;
            expect(plan.nextBatchAt.getTime()).toBeGreaterThan(now.getTime());
            now = plan.nextBatchAt;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  const schedule = fc.record({
    accountWindow: windows,
    zones: fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 4 }),
    window: windows,
    windowB: fc.option(windows, { nil: null }),
    dailyLimit: fc.integer({ min: 1, max: 12 }),
    batchMax: fc.integer({ min: 1, max: 5 }),
    gapMaxSeconds: fc.constantFrom(0, 45, 200),
    start: fc.constantFrom('2026-03-06', '2026-03-27', '2026-10-02', '2026-10-23', '2026-10-30', '2026-04-03'),
    seed: fc.nat(),
  });

  it('over a clock change, in every contact’s own zone: never outside a window, never more than the limit of the local day, none starved', () => {
    fc.assert(
      fc.property(schedule, ({ accountWindow, zones: own, window, windowB, dailyLimit, batchMax, gapMaxSeconds, start, seed }) => {
        const now = new Date(`${start}T00:00:00Z`);
        const sender = {
          ...account({ window: { ...accountWindow, days: null }, dailyLimit, batchMin: 1, batchMax }),
          gapMinSeconds: 0,
          gapMaxSeconds,
        };
        const groups = own.flatMap((timezone) =>
          [false, true].map((isB) => ({ isB, zones: [timezone], window: { ...(isB ? (windowB ?? window) : window), timezone } })),
        );
        const people = own.flatMap((timezone, zone) =>
          Array.from({ length: 4 }, (_, index) => ({
            ...{ id: zone * 4 + index, campaignId: 1, timezone, variant: index % 2 === 0 ? ('A' as const) : ('B' as const) },
            ...{ dueAt: now, isFollowUp: false, steps: [{ order: 1, wait_days: 0, kind: 'email' as const }] },
          })),
        );
        const perDay = new Map<string, number>();
        const reached = new Set<number>();
        for (const { at, enrolmentId } of simulateAccount(
          now,
          sender,
          [{ id: 1, timezone: 'UTC', startsAt: null, groups }],
          people,
          seededRandom(seed),
        )) {
          const group = groupOf(groups, people[enrolmentId] as (typeof people)[number]);
          expect(isOpen(sender.window, at) && group !== undefined && isOpen(group.window, at)).toBe(true);
          const day = localDay(at, sender.window.timezone);
          perDay.set(day, (perDay.get(day) ?? 0) + 1);
          expect(perDay.get(day)).toBeLessThanOrEqual(dailyLimit);
          expect(reached.has(enrolmentId)).toBe(false);
          reached.add(enrolmentId);
        }
        // Some windows overlap only before a clock change; contacts whose windows still overlap long after it must have got the email.
        const settled = new Date(now.getTime() + 40 * DAY);
        for (const person of people) {
          const { window: hours } = groupOf(groups, person) as (typeof groups)[number];
          const meets = nextOpening([sender.window, hours], settled) !== null;
          if (meets) expect(reached.has(person.id), `starved: ${JSON.stringify(person)}`).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});
