import { parseTimestamp } from '../core/timestamp-text.ts';

/** The start that is planned for a campaign and still to come, in RFC 3339; undefined if there is none. */
export function plannedStart({ starts_at }: { starts_at: string | null }, now: Date): string | undefined {
  const start = starts_at === null ? undefined : parseTimestamp(starts_at);
  return start !== undefined && start > now ? start.toISOString() : undefined;
}
