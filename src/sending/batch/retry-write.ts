import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { SECOND } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';

/** Seconds between tries: eleven minutes in all, less than the 15-minute lease of an email in transmission. */
const WAITS = [0.1, 0.5, 1, 2, 5, ...Array.from({ length: 65 }, () => 10)];

/**
 * Repeats a write that nothing can reconstruct, such as that a server accepted an email, until the database takes it.
 * @param isFinal true for errors that another try would meet again
 * @returns what the write returned. Throws a final error at once and any other after eleven minutes; recovery then looks
 * in the Sent folder.
 */
export async function retryWrite<Result>(
  app: App,
  write: () => Promise<Result>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (const seconds of WAITS) {
    try {
      return await write();
    } catch (error) {
      if (isFinal(error)) throw error;
      app.log.warn({ reason: messageOf(error), retry_in_seconds: seconds }, 'what was sent could not be recorded; retrying');
      await wait(seconds * SECOND);
    }
  }
  return write();
}
