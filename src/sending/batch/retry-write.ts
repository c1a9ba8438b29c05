import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { SECOND } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';

/** Waits between tries; together eleven minutes, less than the lease of a mail that is being transmitted. */
const WAITS = [0.1, 0.5, 1, 2, 5, ...Array.from({ length: 65 }, () => 10)];

/**
 * Writes down what can't be found out again (that a server took a mail), trying until the database answers. Throws the
 * last error when it stays away, or at once one that is final; recovery then has to ask the Sent folder.
 */
export async function untilAnswered<Result>(
  app: App,
  write: () => Promise<Result>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (const seconds of WAITS) {
    try {
      return await write();
    } catch (error) {
      if (isFinal(error)) throw error;
      app.log.warn({ reason: messageOf(error), again: seconds }, 'the database does not take what was sent; trying again');
      await wait(seconds * SECOND);
    }
  }
  return write();
}
