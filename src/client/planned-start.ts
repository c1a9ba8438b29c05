import { parseTimestamp } from '../core/timestamp-text.ts';

/** Returns the planned start of a campaign in RFC 3339 if it is in the future; otherwise undefined. */
export function plannedStart({ starts_at }: { starts_at: string | null }, now: Date): string | undefined {
  const start = starts_at === null ? undefined : parseTimestamp(starts_at);
  return start !== undefined && start > now ? start.toISOString() : undefined;
}
