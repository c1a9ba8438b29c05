import { describe, expect, it } from 'vitest';
import { minuteOf, nextTime, timeOf } from '../../src/summaries/next-time.ts';

const at = (text: string) => new Date(`${text}Z`);
const next = (now: string, time: string, zone: string, latest?: string) =>
  nextTime(at(now), minuteOf(time), zone, latest === undefined ? null : at(latest))
    .toISOString()
    .slice(0, 16);

describe('the time of the next daily summary', () => {
  it('is today until the time has come, then tomorrow, in the zone', () => {
    expect(next('2026-03-10T06:59', '08:00', 'Europe/Berlin')).toBe('2026-03-10T07:00');
    expect(next('2026-03-10T07:00', '08:00', 'Europe/Berlin')).toBe('2026-03-11T07:00');
    expect(next('2026-03-10T12:00', '08:00', 'Pacific/Apia')).toBe('2026-03-10T19:00');
  });

  it('goes with the clock of the zone, and is the change itself where that skips it', () => {
    expect(next('2026-03-28T08:00', '08:00', 'Europe/Berlin')).toBe('2026-03-29T06:00');
    expect(next('2026-03-28T08:00', '02:30', 'Europe/Berlin')).toBe('2026-03-29T01:00');
  });

  it('is never a second time on the day of the latest one', () => {
    expect(next('2026-03-10T07:10', '09:00', 'Europe/Berlin', '2026-03-10T07:00')).toBe('2026-03-11T08:00');
    expect(next('2026-03-11T07:10', '09:00', 'Europe/Berlin', '2026-03-10T07:00')).toBe('2026-03-11T08:00');
  });

  it('is read and written as HH:MM', () => {
    for (const text of ['00:00', '08:05', '23:59']) expect(timeOf(minuteOf(text))).toBe(text);
  });
});
