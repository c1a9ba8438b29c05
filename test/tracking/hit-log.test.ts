import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { SECOND } from '../../src/core/clock.ts';
import { HitLog } from '../../src/tracking/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A log whose database is away, so that it says of each group how many hits it would have written. */
function logWithoutDatabase() {
  const written: number[] = [];
  const dropped: number[] = [];
  const app = {
    db: { tx: () => Promise.reject(new Error('away')) },
    log: {
      error: ({ hits }: { hits: number }) => written.push(hits),
      warn: ({ hits }: { hits: number }) => dropped.push(hits),
    },
  };
  const log = new HitLog(app as unknown as App);
  const add = (hits: number, { ofMail }: { ofMail?: number } = {}) => {
    for (let index = 0; index < hits; index++)
      log.add({
        ...{ outboxId: ofMail ?? nextMail++, kind: 'opened', method: 'GET', userAgent: 'test', headers: {}, url: null, ip: null },
        at: new Date(),
      });
  };
  return { log, add, written, dropped };
}
let nextMail = 1_000;

describe('hits', () => {
  it('wait three to four seconds, until a burst that they began is over, and those older than three go together', async () => {
    const { add, written } = logWithoutDatabase();
    add(1);
    await vi.advanceTimersByTimeAsync(SECOND / 2);
    add(2);
    await vi.advanceTimersByTimeAsync(SECOND);
    add(4);
    await vi.advanceTimersByTimeAsync(2.5 * SECOND - 1);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(written).toEqual([3]);
    await vi.advanceTimersByTimeAsync(1.5 * SECOND);
    expect(written).toEqual([3, 4]);
  });

  it('that keep coming are written at most once a second', async () => {
    const { add, written } = logWithoutDatabase();
    for (let tick = 0; tick < 200; tick++) {
      add(1);
      await vi.advanceTimersByTimeAsync(SECOND / 10);
    }
    expect(written.length).toBeGreaterThan(10);
    expect(written.length).toBeLessThanOrEqual(17);
  });

  it('are all written by a flush, which the daemon waits for when it stops', async () => {
    const { log, add, written } = logWithoutDatabase();
    add(3);
    await log.flush();
    expect(written).toEqual([3]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('past 10,000 that wait are dropped, counted and told of once', async () => {
    const { log, add, written, dropped } = logWithoutDatabase();
    add(10_025);
    await log.flush();
    add(1);
    await log.flush();
    expect(written).toEqual([10_000, 1]);
    expect(dropped).toEqual([25]);
  });

  it('past 200 of one mail are dropped as long as those wait, without a word', async () => {
    const { log, add, written, dropped } = logWithoutDatabase();
    add(300, { ofMail: 1 });
    add(1);
    await log.flush();
    add(300, { ofMail: 1 });
    await log.flush();
    expect(written).toEqual([201, 200]);
    expect(dropped).toEqual([]);
  });
});
