import type { App } from '../app.ts';
import { DAY } from '../core/clock.ts';
import { BATCH_SIZE, inBatches } from '../db/in-batches.ts';
import { sql } from '../db/statement.ts';
import { isOpen } from '../outbox/index.ts';

/**
 * Deletes tracking hits older than the setting `retentionTrackingHits`, with their IP addresses and user agents. Returns their number. What
 * people did stays in events and statistics. A hit on an email with unknown outcome stays, because it may prove that the email arrived.
 * Indexes: tracking_hits_pkey, because ids follow the time, and outbox_pkey.
 */
export function pruneHits(app: App, signal?: AbortSignal): Promise<number> {
  const limit = new Date(app.clock.now().getTime() - app.config.retentionTrackingHits * DAY);
  return inBatches(
    app.db,
    sql`
    delete from tracking_hits where id in (
      select h.id from (select id, outbox_id, at from tracking_hits order by id limit ${BATCH_SIZE}) h
      join outbox o on o.id = h.outbox_id and not ${isOpen('o')}
      where h.at < ${limit})
    returning 1`,
    signal,
  );
}
