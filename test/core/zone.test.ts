import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { addCalendarDays, localDay, nextLocalDay } from '../../src/core/zone.ts';
import { runs } from '../support/runs.ts';
import { clockChanges, wallClock, ZONES } from '../support/wall-clock.ts';

/** The first minute from which on the wall clock shows `wanted`, or has jumped over it. */
function firstShowing(wanted: number, timezone: string): number {
  let instant = wanted - 15 * HOUR;
  while (wallClock(instant, timezone) < wanted) {
    // Far away it walks by hours; a change moves the clock by less than three.
    instant += wanted - wallClock(instant, timezone) > 3 * HOUR ? HOUR : MINUTE;
  }
  return instant;
}

/** Minutes around clock changes, and any others. */
const instantsOf = (timezone: string) => {
  const changes = clockChanges(timezone);
  const anywhere = fc.integer({ min: Date.UTC(2024, 0, 1) / MINUTE, max: Date.UTC(2030, 11, 1) / MINUTE }).map((minute) => minute * MINUTE);
  if (changes.length === 0) return anywhere;
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -5 * 1_440, max: 180 }))
    .map(([change, minutes]) => change + minutes * MINUTE);
  return fc.oneof({ weight: 3, arbitrary: near }, { weight: 1, arbitrary: anywhere });
};

describe.each(ZONES)('calendar days in %s', (timezone) => {
  it('wait_days is the same local time N calendar days later; a missing hour becomes the next valid instant, a repeated one counts once', () => {
    fc.assert(
      fc.property(instantsOf(timezone), fc.integer({ min: 1, max: 9 }), (instant, days) => {
        const expected = firstShowing(wallClock(instant, timezone) + days * DAY, timezone);
        expect(addCalendarDays(new Date(instant), days, timezone).toISOString()).toBe(new Date(expected).toISOString());
      }),
      { numRuns: runs(40, 150) },
    );
  });

  it('zero days change nothing, inside a repeated hour too', () => {
    fc.assert(
      fc.property(instantsOf(timezone), (instant) => {
        expect(addCalendarDays(new Date(instant), 0, timezone).getTime()).toBe(instant);
      }),
      { numRuns: runs(30, 100) },
    );
  });

  it('the next local day begins at the first instant that shows it', () => {
    fc.assert(
      fc.property(instantsOf(timezone), (instant) => {
        const next = nextLocalDay(new Date(instant), timezone);
        expect(localDay(next, timezone) > localDay(new Date(instant), timezone)).toBe(true);
        expect(localDay(new Date(next.getTime() - 1), timezone)).toBe(localDay(new Date(instant), timezone));
      }),
      { numRuns: runs(40, 150) },
    );
  });
});

describe('examples', () => {
  it.each([
    ['Europe/Berlin', 'skips 02:00 to 03:00', '2026-03-28T01:30:00Z', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', 'shows 02:30 twice', '2026-10-24T00:30:00Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', 'keeps 09:00 over the change', '2026-03-28T08:00:00Z', '2026-03-29T07:00:00.000Z'],
    ['Australia/Lord_Howe', 'skips half an hour', '2026-10-02T15:40:00Z', '2026-10-03T15:30:00.000Z'],
    ['Pacific/Apia', 'skipped 30 December 2011', '2011-12-29T20:00:00Z', '2011-12-30T10:00:00.000Z'],
  ])('one day later where %s %s', (timezone, _what, from, to) => {
    expect(addCalendarDays(new Date(from), 1, timezone).toISOString()).toBe(to);
  });

  it('a wait that begins in winter ends at the first of two 02:30s in autumn', () => {
    // 2026-01-25 02:30 in Berlin, 273 days later the clocks go back at 03:00.
    expect(addCalendarDays(new Date('2026-01-25T01:30:00Z'), 273, 'Europe/Berlin').toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  it('an unknown zone is a RangeError', () => {
    expect(() => addCalendarDays(new Date(), 1, 'Mars/Olympus')).toThrow(RangeError);
  });
});
