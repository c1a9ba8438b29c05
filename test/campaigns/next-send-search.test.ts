import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readyAt } from '../../src/campaigns/schedule/next-send-search.ts';
import { nextOpening, type SendingWindow } from '../../src/campaigns/schedule/window.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { runs } from '../support/runs.ts';

/** Around the end of summer time in Europe; it has begun in Australia. */
const NOW = new Date('2026-10-20T09:17:23.456Z');
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

const window = fc
  .record({
    timezone: fc.constantFrom(...ZONES),
    startHour: fc.integer({ min: 0, max: 23 }),
    endHour: fc.integer({ min: 1, max: 24 }),
    days: fc.oneof(fc.constant(null), fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })),
  })
  .filter(({ startHour, endHour }) => startHour !== endHour) as fc.Arbitrary<SendingWindow>;
/** Instants after now: on the hour, when windows open and close, just beside it, or anywhere. */
const later = fc
  .record({ hours: fc.integer({ min: 0, max: 12 * 24 }), beside: fc.constantFrom(-1, 0, 1, 17 * MINUTE, -45 * MINUTE) })
  .map(({ hours, beside }) => Math.max(NOW.getTime(), Math.ceil(NOW.getTime() / HOUR) * HOUR + hours * HOUR + beside));

describe('searching by the next mail', () => {
  it('compares when waiting ends, and so finds exactly those whose windows let the mail out in time', () => {
    fc.assert(
      fc.property(window, window, later, later, (campaign, account, ready, instant) => {
        const windows = [campaign, account];
        const sentAt = nextOpening(windows, new Date(ready));
        fc.pre(sentAt !== null);
        expect(ready >= readyAt(windows, instant, NOW)).toBe((sentAt?.getTime() ?? 0) >= instant);
      }),
      { numRuns: runs(500, 3_000) },
    );
  });

  it('an instant that has passed bounds nothing, since nothing goes out before now', () => {
    const always: SendingWindow = { timezone: 'UTC', startHour: 0, endHour: 24, days: null };
    expect(readyAt([always], NOW.getTime() - DAY, NOW)).toBe(Number.NEGATIVE_INFINITY);
    expect(readyAt([always], NOW.getTime() + DAY, NOW)).toBe(NOW.getTime() + DAY);
  });

  it('what gets ready after the last hour of a Friday goes out on Monday', () => {
    const office: SendingWindow = { timezone: 'UTC', startHour: 9, endHour: 17, days: [1, 2, 3, 4, 5] };
    const friday = Date.parse('2026-10-23T17:00:00Z');
    for (const instant of ['2026-10-24T00:00:00Z', '2026-10-25T12:00:00Z', '2026-10-26T09:00:00Z'])
      expect(readyAt([office], Date.parse(instant), NOW)).toBe(friday);
    expect(readyAt([office], Date.parse('2026-10-26T09:00:01Z'), NOW)).toBe(Date.parse('2026-10-26T09:00:01Z'));
  });
});
