import type { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../api/routers/index.ts';

const MAX_DELAY_MILLISECONDS = 30_000;
/** Statuses that say nothing of the request: too many at once, and a failure of the server. */
const TRANSIENT_STATUSES = [429, 500, 503];

/** True for an error that a later call need not meet: no answer of the API, a busy server, or the same request that is still running. */
export function isPassing({ data, message }: TRPCClientError<AppRouter>): boolean {
  if (data === undefined || data === null) return true;
  return TRANSIENT_STATUSES.includes(data.httpStatus) || (data.error === 'conflict' && message.includes('is still running'));
}

/** Milliseconds before the next attempt. @param attempts number of attempts so far */
export const retryDelay = (attempts: number, first: number): number => Math.min(first * 2 ** (attempts - 1), MAX_DELAY_MILLISECONDS);
