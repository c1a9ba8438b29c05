import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/core/log.ts';
import { retryWrite } from '../../src/sending/batch/retry-write.ts';

/** Simulates a database that is down for `seconds`, on a clock that only pauses move. Returns when and how the write ended. */
async function writeInOutage(seconds: number): Promise<{ wasRecorded: boolean; after: number; lines: number }> {
  const log = createLogger('silent');
  const warn = vi.spyOn(log, 'warn');
  let now = 0;
  const write = async () => (now < seconds ? Promise.reject(new Error('the database is down')) : true);
  const pause = async (milliseconds: number) => {
    now += milliseconds / 1_000;
  };
  const wasRecorded = await retryWrite({ log }, write, () => false, pause).catch(() => false);
  return { wasRecorded, after: now, lines: warn.mock.calls.length };
}

describe('The outcome of an email that could not be recorded', () => {
  it.each([1, 12, 45, 300])('is recorded within 2 s after an outage of %i s', async (seconds) => {
    const { wasRecorded, after } = await writeInOutage(seconds);
    expect(wasRecorded).toBe(true);
    expect(after - seconds).toBeLessThanOrEqual(2);
  });

  it('is given up after eleven minutes, before the lease of its email ends, with about a line a minute', async () => {
    const { wasRecorded, after, lines } = await writeInOutage(20 * 60);
    expect(wasRecorded).toBe(false);
    expect(after / 60).toBeCloseTo(11, 0);
    expect(lines).toBeLessThan(20);
  });
});
