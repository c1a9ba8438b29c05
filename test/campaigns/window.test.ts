import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpen, nextOpening, type SendingWindow } from '../../src/campaigns/schedule/window.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { runs } from '../support/runs.ts';
import { clockChanges, wallClock, ZONES } from '../support/wall-clock.ts';

/** The rule in its plainest words, applied to the wall clock alone. */
function isOpenOnTheWall(window: SendingWindow, instant: number): boolean {
  const shown = new Date(wallClock(instant, window.timezone));
  const weekday = shown.getUTCDay() === 0 ? 7 : shown.getUTCDay();
  const hour = shown.getUTCHours();
  const isDay = (day: number) => window.days === null || window.days.includes(day);
  if (window.startHour < window.endHour) return isDay(weekday) && hour >= window.startHour && hour < window.endHour;
  return (hour >= window.startHour && isDay(weekday)) || (hour < window.endHour && isDay(weekday === 1 ? 7 : weekday - 1));
}

const windowIn = (timezone: fc.Arbitrary<string>): fc.Arbitrary<SendingWindow> =>
  fc
    .record({
      timezone,
      startHour: fc.integer({ min: 0, max: 23 }),
      endHour: fc.integer({ min: 1, max: 24 }),
      days: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }), { nil: null }),
    })
    .filter(({ startHour, endHour }) => startHour !== endHour);

const around = (timezone: string) => {
  const changes = [...clockChanges(timezone), Date.UTC(2026, 6, 7)];
  return fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * 1_440, max: 1_440 }))
    .map(([change, minutes]) => change + minutes * MINUTE);
};

const QUARTER = 15 * MINUTE;

describe.each(ZONES)('windows in %s', (timezone) => {
  it('a window is [start, end) of local hours; over midnight it belongs to the day on which it began', () => {
    fc.assert(
      fc.property(windowIn(fc.constant(timezone)), around(timezone), (window, instant) => {
        expect(isOpen(window, new Date(instant))).toBe(isOpenOnTheWall(window, instant));
      }),
      { numRuns: runs(100, 300) },
    );
  });

  it('the next opening is the first instant at which both windows are open, never earlier and never later', () => {
    fc.assert(
      fc.property(windowIn(fc.constant(timezone)), windowIn(fc.constantFrom(...ZONES)), around(timezone), (campaign, account, from) => {
        const opening = nextOpening([campaign, account], new Date(from));
        // Windows open and close at quarters of an hour of UTC in every time zone.
        const quarters = [from, ...Array.from({ length: 3 * 96 }, (_, index) => (Math.floor(from / QUARTER) + 1 + index) * QUARTER)];
        const first = quarters.find((instant) => isOpenOnTheWall(campaign, instant) && isOpenOnTheWall(account, instant));
        if (first !== undefined) expect(opening?.getTime()).toBe(first);
        else if (opening !== null) expect(opening.getTime()).toBeGreaterThan(from + 3 * DAY - HOUR);
      }),
      { numRuns: runs(40, 120) },
    );
  });
});

describe('examples', () => {
  const berlin = (startHour: number, endHour: number, days: number[] | null = null): SendingWindow => ({
    timezone: 'Europe/Berlin',
    startHour,
    endHour,
    days,
  });

  it('9 to 17 sends until 16:59:59', () => {
    const window = { ...berlin(9, 17), timezone: 'UTC' };
    expect(isOpen(window, new Date('2026-07-07T16:59:59.999Z'))).toBe(true);
    expect(isOpen(window, new Date('2026-07-07T17:00:00Z'))).toBe(false);
    expect(isOpen(window, new Date('2026-07-07T08:59:59.999Z'))).toBe(false);
  });

  it('a start that a clock change skips opens at the next valid instant', () => {
    expect(nextOpening([berlin(2, 5)], new Date('2026-03-29T00:00:00Z'))?.toISOString()).toBe('2026-03-29T01:00:00.000Z');
  });

  it('a window that lies wholly in the skipped hour opens on the next day', () => {
    expect(nextOpening([berlin(2, 3)], new Date('2026-03-29T00:00:00Z'))?.toISOString()).toBe('2026-03-30T00:00:00.000Z');
  });

  it('a repeated hour is one opening of two hours: it opens the first time', () => {
    expect(nextOpening([berlin(2, 3)], new Date('2026-10-24T22:00:00Z'))?.toISOString()).toBe('2026-10-25T00:00:00.000Z');
    const hours = ['23:59', '00:00', '00:59', '01:00', '01:59', '02:00'];
    const open = hours.map((hour, index) => isOpen(berlin(2, 3), new Date(`2026-10-${index === 0 ? 24 : 25}T${hour}:00Z`)));
    expect(open).toEqual([false, true, true, true, true, false]);
  });

  it('a window of Friday night is open on Saturday morning', () => {
    expect(isOpen(berlin(22, 6, [5]), new Date('2026-07-11T02:00:00Z'))).toBe(true);
    expect(isOpen(berlin(22, 6, [5]), new Date('2026-07-10T02:00:00Z'))).toBe(false);
  });

  it('windows that never meet have no opening', () => {
    const kathmandu = { timezone: 'Asia/Kathmandu', startHour: 9, endHour: 10, days: null };
    expect(nextOpening([kathmandu, { ...kathmandu, startHour: 12, endHour: 13 }], new Date('2026-07-07T00:00:00Z'))).toBeNull();
    expect(nextOpening([berlin(9, 17, [])], new Date('2026-07-07T00:00:00Z'))).toBeNull();
  });
});
