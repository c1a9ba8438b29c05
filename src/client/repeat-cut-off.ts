import { randomUUID } from 'node:crypto';
import { retryLink, type TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AppRouter } from '../api/routers/index.ts';
import { SECOND } from '../core/clock.ts';

/** Requests of a call in all; the pauses between them make 16 seconds, longer than a daemon takes to start. */
const MAX_REQUESTS = 7;
const FIRST_PAUSE = SECOND / 4;
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Options of a mutation: a server carries it out once, however often its request is sent. Make them once for each act of a person. */
export const once = () => ({ context: { idempotencyKey: randomUUID() } });

/** The Idempotency-Key of a call that was made with `once`. */
function keyOf(context: Record<string, unknown>): string | undefined {
  return typeof context.idempotencyKey === 'string' ? context.idempotencyKey : undefined;
}

/**
 * Sends the request of a call made with `once` again, under the same key, when its connection was cut before the answer: the server may
 * have carried it out or not. A server that was never reached is not asked again.
 */
export function repeatCutOff(firstPause = FIRST_PAUSE): TRPCLink<AppRouter> {
  return retryLink<AppRouter>({
    retry: ({ op, error, attempts }) =>
      keyOf(op.context) !== undefined && attempts < MAX_REQUESTS && (isStillRunning(error) || isCutOff(error, attempts)),
    retryDelayMs: (attempts) => firstPause * 2 ** (attempts - 1),
  });
}

const isStillRunning = ({ message }: TRPCClientError<AppRouter>) => /Idempotency-Key is still running/.test(message);

const isCutOff = (error: TRPCClientError<AppRouter>, attempts: number) =>
  error.data === undefined && error.shape === undefined && (attempts > 1 || !NOT_REACHED.includes(codeOf(error.cause)));

/** The code of a failed connection; `localhost` has two addresses, whose errors come as one. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
