import { raw, type Sql, sql } from '../../db/statement.ts';

/**
 * End of a statement: inserts a pending task for each due call, reopens tasks that were cancelled, and returns the `id` of each.
 * @param due a table expression of that statement, with `id` of the enrolment, `workspace_id`, `campaign_id`, `step_id` and `due_at`
 */
export const openCalls = (due: string, now: Date): Sql => sql`
  insert into call_tasks as t (workspace_id, campaign_id, enrolment_id, step_id, due_at, created_at)
  select d.workspace_id, d.campaign_id, d.id, d.step_id, d.due_at, ${now}::timestamptz from ${raw(due)} d
  on conflict (enrolment_id, step_id) do update
    set status = 'pending', due_at = excluded.due_at, closed_by = null, closed_at = null where t.status = 'cancelled'
  returning t.id`;
