import type { Placed, Room } from '../core/room.ts';
import { type Queryable, type Sql, sql } from './statement.ts';

/**
 * Picks the work for which there is room: the workspaces take turns, and each gets its most overdue work first. Columns `id`,
 * `workspace_id`.
 * @param work a query with the columns `id`, `workspace_id` and `due_at`; rows without `due_at` come first
 */
export const inTurns = (work: Sql, { most, each, left, except }: Room): Sql => sql`
  select q.id, q.workspace_id from (
    select w.*, row_number() over (partition by w.workspace_id order by w.due_at nulls first, w.id) as turn
    from (${work}) w where w.id <> all(${[...except]}::int[])) q
  left join unnest(${[...left.keys()]}::int[], ${[...left.values()]}::int[]) as l (workspace_id, room) on l.workspace_id = q.workspace_id
  where q.turn <= coalesce(l.room, ${each})
  order by q.turn, q.due_at nulls first, q.id limit ${most}`;

/** Reads the work for which there is room. @param work like that of `inTurns` */
export const readPlaced = (db: Queryable, room: Room, work: Sql): Promise<Placed[]> =>
  db.query<Placed>(sql`select id, workspace_id as "workspaceId" from (${inTurns(work, room)}) placed`);
