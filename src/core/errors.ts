/** The closed list of error codes a caller can meet (API reference, "Errors"). */
export type ErrorCode = 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'internal_error';

/**
 * A refusal that a person or a program can act on: what is wrong, with which field or thing, what to do.
 * Rooms throw it; only the API knows that codes have HTTP statuses and only the CLI that they have exit statuses.
 */
export class OutreachError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutreachError';
    this.code = code;
  }
}

/** A field or parameter is missing, malformed or out of range. */
export const invalid = (message: string, options?: ErrorOptions) => new OutreachError('invalid_request', message, options);

/** The thing does not exist, lies in another workspace, or the caller may not see it: always the same words. */
export const notFound = (what: string) => new OutreachError('not_found', `${what} not found`);

/** The caller's role does not allow this. */
export const forbidden = (message: string) => new OutreachError('forbidden', message);

/** The request contradicts the present state, a duplicate for example. */
export const conflict = (message: string) => new OutreachError('conflict', message);

/** The bearer key is missing, malformed, revoked, or its owner is disabled; which of them is not told. */
export const unauthorized = () => new OutreachError('unauthorized', 'a valid API key is required: Authorization: Bearer <API_KEY>');

/** The message of anything thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** SQLSTATE classes the code reacts to (PostgreSQL manual, appendix A). */
export const SQLSTATE = { uniqueViolation: '23505', foreignKeyViolation: '23503', lockNotAvailable: '55P03' } as const;

/** The SQLSTATE of a database error, looked for through the wrappers that MikroORM puts around it. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}
