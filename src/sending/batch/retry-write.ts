import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { SECOND } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';

/** Seconds between attempts: eleven minutes in all, less than the 15-minute lease of an email in transmission. */
const WAITS = [0.1, 0.5, 1, 2, 5, ...Array.from({ length: 65 }, () => 10)];

/**
 * Retries a write of information that could not be reconstructed, such as that a server accepted an email.
 * @param isFinal true for errors that a retry would repeat
 * @returns the result of the write. Throws a final error immediately and any other after eleven minutes; recovery then
 * looks in the Sent folder.
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
      app.log.warn({ reason: messageOf(error), retry_in_seconds: seconds }, 'outcomes of emails could not be recorded; retrying');
      await wait(seconds * SECOND);
    }
  }
  return write();
}
