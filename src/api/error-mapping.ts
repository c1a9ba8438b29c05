import { TRPCError } from '@trpc/server';
import { type ErrorCode, invalid, notFound, OutreachError, SQLSTATE, sqlState } from '../core/errors.ts';

/** An `invalid_request` with a status other than 400: the error codes of the API are fixed, its statuses are not. */
export class HttpError extends OutreachError {
  readonly status: number;
  constructor(status: number, message: string) {
    super('invalid_request', message);
    this.status = status;
  }
}

export const TOO_LARGE = 'the body is larger than 5 MiB';
export const NOT_JSON = 'the body must be JSON, sent with Content-Type: application/json';

type TrpcCode = TRPCError['code'];

const TRPC_CODES: Record<ErrorCode, TrpcCode> = {
  invalid_request: 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  too_many_requests: 'TOO_MANY_REQUESTS',
  internal_error: 'INTERNAL_SERVER_ERROR',
};

/** tRPC's codes for the statuses that an `invalid_request` may have besides 400. */
const STATUS_CODES: Partial<Record<number, TrpcCode>> = {
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

const MALFORMED = 'the call is malformed, or its input is not valid JSON';

/** Errors that tRPC throws before it calls a procedure, by code. They keep the status that tRPC gives the code. */
const TRPC_ERRORS: Partial<Record<TrpcCode, OutreachError>> = {
  NOT_FOUND: notFound('procedure'),
  METHOD_NOT_SUPPORTED: invalid('queries use GET, mutations use POST'),
  UNSUPPORTED_MEDIA_TYPE: invalid(NOT_JSON),
  PAYLOAD_TOO_LARGE: invalid(TOO_LARGE),
  PARSE_ERROR: invalid(MALFORMED),
  BAD_REQUEST: invalid(MALFORMED),
};

/** Messages for the time limits of a request in the database. */
const DATABASE_LIMITS: Partial<Record<string, string>> = {
  [SQLSTATE.lockNotAvailable]: 'somebody else is changing the same thing, and it took too long to wait; nothing was changed, try again',
  [SQLSTATE.queryCanceled]: 'the request took the database too long and was stopped; ask for less at a time',
};

/** Finds the OutreachError in anything that a procedure throws. Every other error becomes an `internal_error` without details. */
export function toOutreachError(error: unknown): OutreachError {
  if (error instanceof OutreachError) return error;
  if (error instanceof TRPCError && error.cause instanceof OutreachError) return error.cause;
  const known = error instanceof TRPCError ? TRPC_ERRORS[error.code] : undefined;
  if (known !== undefined) return known;
  const message = DATABASE_LIMITS[sqlState(error) ?? ''] ?? 'something went wrong on the server; the request can be tried again';
  return new OutreachError('internal_error', message, { cause: error });
}

/** Wraps an error in a TRPCError with its code, and so its HTTP status, under /trpc. Returns a TRPCError unchanged. */
export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  const known = toOutreachError(error);
  const code = (known instanceof HttpError && STATUS_CODES[known.status]) || TRPC_CODES[known.code];
  return new TRPCError({ code, message: known.message, cause: known });
}
