import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a real event: asks until the answer is truthy, and fails with the message at the deadline. */
export async function waitUntil<Value>(what: string, ask: () => Promise<Value> | Value, seconds = 60): Promise<NonNullable<Value>> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`after ${seconds} s still not: ${what}`);
    await wait(15);
  }
}
