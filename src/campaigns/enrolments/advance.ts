import type { App } from '../../app.ts';
import { addCalendarDays, zoneOrUtc } from '../../core/zone.ts';
import { prepared, sql, type Tx } from '../../db/database.ts';
import type { EnrolmentStatus } from './transitions.ts';

/** A step that was carried out: a mail that the server took, or a call that was done or skipped. */
export interface Move {
  enrolmentId: number;
  doneStepOrder: number;
  at: Date;
  /** The mailbox that the mail left from; null where it was a call. */
  sentFrom: number | null;
}

interface Position {
  id: number;
  campaign_id: number;
  status: EnrolmentStatus;
  timezone: string;
  done_step: number;
  next_step: number | null;
  wait_days: number | null;
}

/**
 * Moves each enrolment to its next live step, due `wait_days` calendar days of the campaign's zone after the step was
 * carried out, or completes it when none is left. An enrolment that ended meanwhile stays ended and only remembers the
 * mail. A call step falls due like a mail; `openDueCalls` makes its task.
 * @returns the campaigns that may have nothing left to do: for `completeCampaigns`, once the caller has logged its events,
 * since enrolments are locked before statistics
 */
export async function advanceEnrolments(tx: Tx, app: App, moves: readonly Move[]): Promise<number[]> {
  if (moves.length === 0) return [];
  await tx.em.flush();
  const moveOf = new Map(moves.map((move) => [move.enrolmentId, move]));
  const positions = await lockPositions(tx, [...moveOf.values()]);
  await writeMoves(
    tx,
    app,
    positions.map((position) => newPosition(position, moveOf.get(position.id) as Move)),
  );
  // Those that ended while their mail was on its way kept the campaign open until now.
  return positions
    .filter((position) => position.status !== 'active' || position.next_step === null)
    .map((position) => position.campaign_id);
}

/** What changes in the row of an enrolment; null leaves a column as it is. */
interface NewPosition {
  id: number;
  is_over: boolean;
  next_step: number | null;
  due_at: Date | null;
  sent_from: number | null;
  sent_at: Date | null;
  sent_step: number | null;
}

function newPosition(position: Position, { at, sentFrom }: Move): NewPosition {
  const goesOn = position.status === 'active' && position.next_step !== null;
  return {
    id: position.id,
    is_over: position.status === 'active' && !goesOn,
    next_step: goesOn ? position.next_step : null,
    due_at: goesOn ? addCalendarDays(at, position.wait_days ?? 0, zoneOrUtc(position.timezone)) : null,
    sent_from: sentFrom,
    sent_at: sentFrom === null ? null : at,
    // Never 0, which would say that nothing was sent: step 1 may be deleted while its mail is on its way.
    sent_step: sentFrom === null ? null : Math.max(position.done_step, 1),
  };
}

/**
 * All that a step changes in its enrolment, in one new version of the row, for every version costs an entry in each of
 * its indexes. Whoever completes waits for nothing any more, a call neither.
 */
async function writeMoves(tx: Tx, app: App, moved: readonly NewPosition[]): Promise<void> {
  const now = app.clock.now();
  await tx.query(
    prepared(
      'write-moves',
      sql`
    with m as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
        as m (id int, is_over boolean, next_step int, due_at timestamptz, sent_from int, sent_at timestamptz, sent_step int)
    ), cancelled as (
      update call_tasks t set status = 'cancelled', closed_at = ${now}
      from m where m.is_over and t.enrolment_id = m.id and t.status = 'pending'
    )
    update enrolments e set current_step = coalesce(m.next_step, e.current_step), account_id = coalesce(m.sent_from, e.account_id),
      status = case when m.is_over then 'completed' else e.status end,
      stop_reason = case when m.is_over then null else e.stop_reason end,
      due_at = case when m.is_over then null else coalesce(m.due_at, e.due_at) end,
      held_until = case when m.is_over then null else e.held_until end,
      hold_reason = case when not m.is_over and (m.sent_from is null or e.held_until > ${now}) then e.hold_reason end,
      last_sent_at = greatest(e.last_sent_at, m.sent_at), last_sent_step = coalesce(m.sent_step, e.last_sent_step),
      soft_bounces = case when m.sent_from is null then e.soft_bounces else 0 end, failures = 0, updated_at = ${now}
    from m where e.id = m.id`,
    ),
  );
}

/**
 * Where each enrolment stands, locked in id order, and which live step comes next. The step of a mail is looked up in
 * the ledger, because its number may have changed, or the step may be gone, while the mail was on its way.
 * Indexes: enrolments_pkey, outbox_enrolment_id_step_id_key, steps_live_order.
 */
function lockPositions(tx: Tx, moves: readonly Move[]): Promise<Position[]> {
  return tx.query<Position>(
    prepared(
      'lock-positions',
      sql`
    select e.id, e.campaign_id, e.status, c.timezone, coalesce(d.step_order, m.step_order) as done_step,
      n.step_order as next_step, n.wait_days
    from unnest(${moves.map((move) => move.enrolmentId)}::int[], ${moves.map((move) => move.doneStepOrder)}::int[],
      ${moves.map((move) => move.sentFrom !== null)}::boolean[]) as m (enrolment_id, step_order, is_mail)
    join enrolments e on e.id = m.enrolment_id
    join campaigns c on c.id = e.campaign_id
    left join lateral (
      select s.step_order - (s.deleted_at is not null)::int as step_order
      from outbox o join steps s on s.id = o.step_id
      where m.is_mail and o.enrolment_id = e.id and o.step_order = m.step_order order by o.id desc limit 1) d on true
    left join lateral (
      select s.step_order, s.wait_days from steps s
      where s.campaign_id = e.campaign_id and s.deleted_at is null and s.step_order > coalesce(d.step_order, m.step_order)
      order by s.step_order limit 1) n on true
    order by e.id for no key update of e`,
    ),
  );
}
