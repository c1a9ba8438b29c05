import { TRPCError } from '@trpc/server';
import { type ErrorCode, invalid, notFound, OutreachError } from '../core/errors.ts';

/** A refusal whose status is not the one of its code: the list of codes is closed, that of statuses is not. */
export class HttpRefusal extends OutreachError {
  readonly status: number;
  constructor(status: number, message: string) {
    super('invalid_request', message);
    this.status = status;
  }
}

export const TOO_LARGE = 'the body is larger than 5 MiB';

type TrpcCode = TRPCError['code'];

const TRPC_CODES: Record<ErrorCode, TrpcCode> = {
  invalid_request: 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  internal_error: 'INTERNAL_SERVER_ERROR',
};

const MALFORMED = 'the call is malformed, or its input is not valid JSON';

/** What tRPC itself refuses before it comes to a procedure of ours; the status is the one it has for its code. */
const OF_TRPC: Partial<Record<TrpcCode, OutreachError>> = {
  NOT_FOUND: notFound('procedure'),
  METHOD_NOT_SUPPORTED: invalid('a query is asked with GET, a mutation with POST'),
  UNSUPPORTED_MEDIA_TYPE: invalid('the body must be JSON, sent with Content-Type: application/json'),
  PAYLOAD_TOO_LARGE: invalid(TOO_LARGE),
  PARSE_ERROR: invalid(MALFORMED),
  BAD_REQUEST: invalid(MALFORMED),
};

/** The refusal inside anything a procedure can throw; what is no refusal is an `internal_error` that says nothing. */
export function refusalOf(error: unknown): OutreachError {
  if (error instanceof OutreachError) return error;
  if (error instanceof TRPCError && error.cause instanceof OutreachError) return error.cause;
  const ofTrpc = error instanceof TRPCError ? OF_TRPC[error.code] : undefined;
  return (
    ofTrpc ??
    new OutreachError('internal_error', 'something went wrong on the server; the request can be tried again', {
      cause: error,
    })
  );
}

/** A refusal as tRPC sends it: with the HTTP status of its code. What is a TRPCError stays what it is. */
export function trpcErrorOf(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  const refusal = refusalOf(error);
  return new TRPCError({ code: TRPC_CODES[refusal.code], message: refusal.message, cause: refusal });
}
