import { type Viewer, visible } from '../../access/index.ts';
import { type Queryable, type Sql, sql } from '../../db/statement.ts';
import { callIs } from '../states/call.ts';
import { isRunning } from '../states/campaign.ts';

/**
 * From clause: calls `k` with their campaign `c`, enrolment `e` and contact `t`, limited to campaigns and contacts that the viewer can see.
 */
export const callsOf = (viewer: Viewer): Sql => sql`
  call_tasks k join campaigns c on c.id = k.campaign_id and ${visible(viewer, 'campaigns', 'c')}
  join enrolments e on e.id = k.enrolment_id join contacts t on t.id = e.contact_id and ${visible(viewer, 'contacts', 't')}`;

/** Condition: call `k` can be made now: it is pending and its campaign `c` is running. Calls of a paused campaign wait for it. */
export const isToMake: Sql = sql`${callIs('k', 'pending')} and ${isRunning('c')}`;

/** Counts the calls to make that the viewer can see. Index: call_tasks_pending. */
export async function countPendingCalls(db: Queryable, viewer: Viewer): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from ${callsOf(viewer)} where ${isToMake}`);
  return row?.count ?? 0;
}
