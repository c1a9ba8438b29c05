import type { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../api/routers/index.ts';

const MAX_DELAY_MILLISECONDS = 30_000;
/** Statuses that are not about the request itself: too many requests, and a failure of the server. */
const TRANSIENT_STATUSES = [429, 500, 503];

/** True for an error that a retry may avoid: no response from the API, a busy server, or the same request still running. */
export function isPassing({ data, message }: TRPCClientError<AppRouter>): boolean {
  if (data === undefined || data === null) return true;
  return TRANSIENT_STATUSES.includes(data.httpStatus) || (data.error === 'conflict' && message.includes('is still running'));
}

/** Returns the milliseconds before the next attempt. @param attempts number of attempts so far */
export const retryDelay = (attempts: number, first: number): number => Math.min(first * 2 ** (attempts - 1), MAX_DELAY_MILLISECONDS);
