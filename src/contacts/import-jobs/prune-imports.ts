import type { App } from '../../app.ts';
import { DAY } from '../../core/clock.ts';
import { sql } from '../../db/statement.ts';

/** Time for which an import and its problems can be read after it has ended. */
const RETENTION = 30 * DAY;
/** Small, since each import has a file's worth of problems, which are deleted with it. */
const PRUNE_BATCH_SIZE = 10;

/** Deletes imports that ended 30 days ago or more. Returns how many. Index: imports_ended. */
export async function pruneImports(app: App): Promise<number> {
  const limit = new Date(app.clock.now().getTime() - RETENTION);
  for (let pruned = 0; ; ) {
    const rows = await app.db.query(sql`
      delete from imports where id in (select id from imports where finished_at <= ${limit} order by finished_at limit ${PRUNE_BATCH_SIZE})
      returning 1`);
    pruned += rows.length;
    if (rows.length < PRUNE_BATCH_SIZE) return pruned;
  }
}
