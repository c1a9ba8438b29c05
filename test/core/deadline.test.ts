import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Deadline, withDeadline } from '../../src/core/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that never answers: its pending command fails when the connection is closed. */
function silent(deadline: Deadline): Promise<never> {
  return new Promise((_, reject) => deadline.closes({ close: () => reject(new Error('closed')) }));
}

/** How a promise stands, without waiting for it. */
async function stateOf(work: Promise<unknown>): Promise<string> {
  return Promise.race([
    work.then(
      () => 'done',
      (error: Error) => error.message,
    ),
    Promise.resolve().then(() => 'pending'),
  ]);
}

/** docs/operating.md: "All work on an outside server has a time limit". */
describe('work on an outside server', () => {
  it('is over at its deadline, and says how long the server took', async () => {
    const work = withDeadline({ within: 240_000 }, silent);
    work.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(239_999);
    expect(await stateOf(work)).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    await expect(work).rejects.toThrow('the server took longer than 4 minutes');
  });

  it('is over 3 s later where the work does not even end when its connections are closed', async () => {
    const work = withDeadline({ within: 30_000 }, () => new Promise(() => undefined));
    work.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(33_000);
    await expect(work).rejects.toThrow('the server took longer than 30 s');
  });

  it('closes a connection that is opened after the deadline', async () => {
    let isClosed = false;
    const work = withDeadline({ within: 1_000 }, async (deadline) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      deadline.closes({
        close: () => {
          isClosed = true;
        },
      });
    });
    await vi.advanceTimersByTimeAsync(2_000);
    await work;
    expect(isClosed).toBe(true);
  });

  /** "SIGTERM ends within 30 s whatever servers do". */
  it.each([
    ['begins before the daemon stops', false],
    ['begins after', true],
  ])('that %s is cut off 12 s after it, and is asked to end at once', async (_, isStopped) => {
    const stop = new AbortController();
    if (isStopped) stop.abort();
    let ending: AbortSignal | undefined;
    const work = withDeadline({ within: 600_000, stopping: stop.signal }, (deadline) => {
      ending = deadline.ending;
      return silent(deadline);
    });
    work.catch(() => undefined);
    expect(ending?.aborted).toBe(isStopped);
    stop.abort();
    expect(ending?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(12_000);
    await expect(work).rejects.toThrow('cut off because the daemon is stopping');
  });

  it('that succeeds or fails by itself leaves no timer behind, and its error alone', async () => {
    expect(await withDeadline({ within: 1_000, endAfter: 500 }, async () => 'answer')).toBe('answer');
    await expect(withDeadline({ within: 1_000 }, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(vi.getTimerCount()).toBe(0);
  });
});
