import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits for a real event: calls `ask` until the result is truthy, and fails with the message at the deadline. The longer it waits, the less
 * often it asks, which keeps the processor free for the event.
 */
export async function waitUntil<Value>(what: string, ask: () => Promise<Value> | Value, seconds = 60): Promise<NonNullable<Value>> {
  const begun = Date.now();
  for (;;) {
    const value = await ask();
    if (value) return value;
    const waited = Date.now() - begun;
    if (waited > seconds * 1_000) throw new Error(`after ${seconds} s still not: ${what}`);
    await wait(Math.min(Math.max(15, waited / 20), 200));
  }
}
