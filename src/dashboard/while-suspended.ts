import type { Suspend } from './action.ts';

/** Runs work that needs the terminal, such as an editor. Ink rejects with an error of its own, so the error of the work is passed around it. */
export async function whileSuspended(suspend: Suspend, work: () => Promise<unknown>): Promise<void> {
  let outcome: Promise<unknown> = Promise.resolve();
  await suspend(async () => {
    outcome = work();
    await outcome.catch(() => undefined);
  });
  await outcome;
}
