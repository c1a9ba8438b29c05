import type { Suspend } from './action.ts';

/** Does work that needs the terminal, such as an editor. Ink rejects with an error of its own, so that of the work is carried past it. */
export async function whileSuspended(suspend: Suspend, work: () => Promise<unknown>): Promise<void> {
  let outcome: Promise<unknown> = Promise.resolve();
  await suspend(async () => {
    outcome = work();
    await outcome.catch(() => undefined);
  });
  await outcome;
}
