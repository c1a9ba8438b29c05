import type { App } from '../../app.ts';
import { DAY } from '../../core/clock.ts';
import { inBatches } from '../../db/in-batches.ts';
import { sql } from '../../db/statement.ts';

/** Time for which an import and its problems can be read after it has ended. */
const RETENTION = 30 * DAY;
/** Small, because the problems of each import, up to one per line of its file, are deleted with it. */
const PRUNE_BATCH_SIZE = 10;

/** Deletes imports that ended 30 days ago or more. Returns their number. Index: imports_ended. */
export function pruneImports(app: App, signal?: AbortSignal): Promise<number> {
  const limit = new Date(app.clock.now().getTime() - RETENTION);
  return inBatches(
    app.db,
    sql`
    delete from imports where id in (select id from imports where finished_at <= ${limit} order by finished_at limit ${PRUNE_BATCH_SIZE})
    returning 1`,
    signal,
  );
}
