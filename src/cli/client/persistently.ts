import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, isNotFound, messageOf, OutreachError } from '../../core/errors.ts';
import { apiError } from './api-error.ts';

const FIRST_RETRY_MILLISECONDS = 1_000;
const MAX_RETRY_MILLISECONDS = 30_000;

/** Errors that a retry does not help. */
const PERMANENT_ERRORS: readonly ErrorCode[] = ['invalid_request', 'unauthorized', 'forbidden'];

export interface WatchOptions {
  signal: AbortSignal;
  /** URL of the server; undefined on this machine. */
  url: string | undefined;
  /** Called with the reason when a call first fails, and with null once one succeeds again. */
  onTrouble(reason: string | null): void;
  /** Time between two polls. */
  milliseconds?: number;
}

/** Retries a call until it succeeds. Returns null once the signal aborts, or if the caller can no longer see the record. */
export async function persistently<Result>(call: () => Promise<Result>, { signal, url, onTrouble }: WatchOptions): Promise<Result | null> {
  for (let failures = 0; ; failures++) {
    try {
      const result = await call();
      if (failures > 0) onTrouble(null);
      return result;
    } catch (thrown) {
      if (signal.aborted) return null;
      const error = apiError(thrown, url);
      if (isNotFound(error)) return null;
      if (error instanceof OutreachError && PERMANENT_ERRORS.includes(error.code)) throw error;
      if (failures === 0) onTrouble(messageOf(error));
      await pause(Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, MAX_RETRY_MILLISECONDS), undefined, { signal }).catch(() => undefined);
    }
  }
}
