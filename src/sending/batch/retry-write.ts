import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { SECOND } from '../../core/clock.ts';
import { messageOf, sqlState } from '../../core/errors.ts';

/** Seconds between attempts: eleven minutes in all, less than the 15-minute lease of an email in transmission. */
const RETRY_SECONDS = [0.1, 0.5, 1, ...Array.from({ length: 329 }, () => 2)];
/** Returns true for attempts whose failure is logged: the first four, then one a minute. */
const isLogged = (attempt: number) => attempt <= 4 || attempt % 30 === 0;

/**
 * Retries a write of information that could not be reconstructed, such as that a server accepted an email. Further emails wait for
 * it, so the delays are short. Throws a final error immediately and any other after eleven minutes; recovery then looks in the
 * Sent folder.
 * @param isFinal true for errors that a retry would repeat
 */
export async function retryWrite<Result>(
  app: Pick<App, 'log'>,
  write: () => Promise<Result>,
  isFinal: (error: unknown) => boolean = () => false,
  pause: (milliseconds: number) => Promise<unknown> = wait,
): Promise<Result> {
  for (const [index, seconds] of RETRY_SECONDS.entries()) {
    try {
      return await write();
    } catch (error) {
      if (isFinal(error)) throw error;
      if (isLogged(index + 1)) app.log.warn({ reason: messageOf(error) }, 'outcomes of emails could not be recorded; retrying');
      await pause(seconds * SECOND);
    }
  }
  return write();
}

/** Returns true for errors that a retry would repeat: SQLSTATE classes 22, 23 and 42. */
export const isPermanentError = (error: unknown) => /^(22|23|42)/.test(sqlState(error) ?? '');
