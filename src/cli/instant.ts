import { invalid } from '../core/errors.ts';

/** RFC 3339 §5.6 without the zone, and the API's own format. */
const LOCAL = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/i;

/**
 * The instant in a flag, as RFC 3339 for the API: a date stands for its midnight UTC, a time without a zone is UTC. Throws
 * `invalid_request` naming the flag.
 */
export function instantText(text: string, flag: string): string {
  const trimmed = text.trim();
  const full = /^\d{4}-\d\d-\d\d$/.test(trimmed) ? `${trimmed}T00:00:00Z` : LOCAL.test(trimmed) ? `${trimmed.replace(' ', 'T')}Z` : trimmed;
  if (!/^\d{4}-\d\d-\d\d[T ]/i.test(full) || Number.isNaN(Date.parse(full)))
    throw invalid(`${flag}: must be a date such as 2026-01-31 or a timestamp such as 2026-01-31T09:00:00Z`);
  return new Date(full).toISOString();
}
