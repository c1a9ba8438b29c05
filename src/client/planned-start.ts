import { parseTimestamp } from '../db/timestamp.ts';
import type { Client } from './create-client.ts';

/** The start that is planned for a campaign and still to come, in RFC 3339; undefined if there is none. */
export async function plannedStart(api: Client, id: number, now: Date): Promise<string | undefined> {
  const { starts_at } = await api.campaigns.get.query({ id });
  const start = starts_at === null ? undefined : parseTimestamp(starts_at);
  return start !== undefined && start > now ? start.toISOString() : undefined;
}
