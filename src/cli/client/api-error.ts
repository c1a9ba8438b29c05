import { TRPCClientError } from '@trpc/client';
import { conflict, type ErrorCode, messageOf, OutreachError, unauthorized } from '../../core/errors.ts';

/**
 * Returns the error behind a failed call: the one that the procedure threw, with its code, whether it ran here or on a server.
 * Returns every other error unchanged.
 * @param url of the server; undefined on this machine
 */
export function apiError(error: unknown, url?: string): unknown {
  if (!(error instanceof TRPCClientError)) return error;
  if (url === undefined) return thrownHere(error);
  const code = error.data?.error as ErrorCode | undefined;
  if (code === undefined)
    return conflict(`no Outreach server answers at ${url}: ${reasonOf(error)}; check the address, and that it is running`);
  if (code === 'unauthorized') return keyRefused(url, error.message);
  if (code === 'not_found' && error.message === 'procedure not found')
    return conflict(`${url} can't do this: it runs another version of Outreach than this command`);
  return new OutreachError(code, error.message, { cause: error });
}

/** The error of a server that refuses the API key. @param message of the server */
export const keyRefused = (url: string, message: string): OutreachError =>
  unauthorized(/expired/.test(message) ? message : `${url} does not accept the API key; run: outreach login ${url}`);

/** Codes for a record that the caller can't read: it was deleted, is hidden from them, or their role may not read it. */
const UNREADABLE: readonly unknown[] = ['not_found', 'forbidden'] satisfies ErrorCode[];

/** The record that a call returns, or `otherwise` if the caller can't read it. Throws any other error. */
export async function unlessUnreadable<Result, Otherwise>(call: Promise<Result>, otherwise: Otherwise): Promise<Result | Otherwise> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TRPCClientError && UNREADABLE.includes(error.data?.error)) return otherwise;
    throw error;
  }
}

/**
 * Returns the first error in the chain of causes that has a code of its own, otherwise the innermost. The operator may read causes that
 * are hidden from clients.
 */
function thrownHere(error: unknown): unknown {
  let found = error;
  for (let at = error; at instanceof Error; at = at.cause) {
    found = at;
    if (at instanceof OutreachError && at.code !== 'internal_error') return at;
  }
  return found;
}

/** The reason a request failed, from its innermost cause: a refused connection rather than `fetch failed`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0] ?? cause.message);
  if (cause instanceof Error) return reasonOf(cause);
  return error instanceof SyntaxError || /transform response/.test(messageOf(error)) ? 'another program answers there' : messageOf(error);
}
