import { randomUUID } from 'node:crypto';
import { retryLink, type TRPCClientError, type TRPCLink } from '@trpc/client';
import type { AppRouter } from '../api/routers/index.ts';
import { SECOND } from '../core/clock.ts';

/** Maximum number of requests for a call. The pauses between them add up to 16 seconds, longer than a daemon takes to start. */
const MAX_REQUESTS = 7;
const FIRST_PAUSE = SECOND / 4;
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Returns options for a mutation that make a server carry it out once, however often its request is sent. Call it once for each user action. */
export const once = () => ({ context: { idempotencyKey: randomUUID() } });

/** Returns the Idempotency-Key of a call made with `once`. */
function keyOf(context: Record<string, unknown>): string | undefined {
  return typeof context.idempotencyKey === 'string' ? context.idempotencyKey : undefined;
}

/**
 * Retries a call made with `once`, under the same key, if its connection was cut before the response: the server may or may not have carried
 * it out. Does not retry if the server was never reached.
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

/** Returns the code of a failed connection. `localhost` has two addresses, whose errors come as an AggregateError. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
