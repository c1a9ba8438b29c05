import { daemon } from '../access/index.ts';
import type { App } from '../app.ts';
import { prepared, sql, type Tx } from '../db.ts';
import { addCalendarDays, zoneOrUtc } from '../zone.ts';
import { completeCampaigns } from './completion.ts';
import { type EnrolmentStatus, endEnrolments } from './enrolment-transitions.ts';

/** A step that was carried out: a mail that the server took, or a call that was done or skipped. */
export interface Move {
  enrolmentId: number;
  doneStepOrder: number;
  at: Date;
  isMail: boolean;
}

interface Position {
  id: number;
  workspace_id: number;
  campaign_id: number;
  status: EnrolmentStatus;
  timezone: string;
  done_step: number;
  next_step: number | null;
  wait_days: number | null;
}

/**
 * Moves each enrolment to its next live step, due `wait_days` calendar days of the campaign's zone after the step was
 * carried out, or completes it when none is left; then completes campaigns with nothing left to do. An enrolment that
 * ended meanwhile stays ended and only remembers the mail. A call step falls due like a mail; `openDueCalls` makes its task.
 */
export async function advanceEnrolments(tx: Tx, app: App, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.em.flush();
  const moveOf = new Map(moves.map((move) => [move.enrolmentId, move]));
  const positions = await lockPositions(tx, [...moveOf.values()]);
  const advanced = positions.map((position) => {
    const move = moveOf.get(position.id) as Move;
    const goesOn = position.status === 'active' && position.next_step !== null;
    return {
      id: position.id,
      next_step: goesOn ? position.next_step : null,
      due_at: goesOn ? addCalendarDays(move.at, position.wait_days ?? 0, zoneOrUtc(position.timezone)) : null,
      sent_at: move.isMail ? move.at : null,
      // Never 0, which would say that nothing was sent: step 1 may be deleted while its mail is on its way.
      sent_step: move.isMail ? Math.max(position.done_step, 1) : null,
    };
  });
  await tx.query(
    prepared(sql`
    update enrolments e set current_step = coalesce(m.next_step, e.current_step), due_at = coalesce(m.due_at, e.due_at),
      last_sent_at = greatest(e.last_sent_at, m.sent_at), last_sent_step = coalesce(m.sent_step, e.last_sent_step),
      failures = 0, updated_at = ${app.clock.now()}
    from jsonb_to_recordset(${JSON.stringify(advanced)}::jsonb)
      as m (id int, next_step int, due_at timestamptz, sent_at timestamptz, sent_step int)
    where e.id = m.id`),
  );
  await endMoved(tx, app, positions);
}

/**
 * Where each enrolment stands, locked in id order, and which live step comes next. The step of a mail is looked up in
 * the ledger, because its number may have changed, or the step may be gone, while the mail was on its way.
 * Indexes: enrolments_pkey, outbox_enrolment, steps_live_order.
 */
function lockPositions(tx: Tx, moves: readonly Move[]): Promise<Position[]> {
  return tx.query<Position>(
    prepared(sql`
    select e.id, e.workspace_id, e.campaign_id, e.status, c.timezone, coalesce(d.step_order, m.step_order) as done_step,
      n.step_order as next_step, n.wait_days
    from unnest(${moves.map((move) => move.enrolmentId)}::int[], ${moves.map((move) => move.doneStepOrder)}::int[],
      ${moves.map((move) => move.isMail)}::boolean[]) as m (enrolment_id, step_order, is_mail)
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
    order by e.id for no key update of e`),
  );
}

async function endMoved(tx: Tx, app: App, positions: readonly Position[]): Promise<void> {
  const [first] = positions;
  if (first === undefined) return;
  const completed = positions.filter((position) => position.status === 'active' && position.next_step === null);
  await endEnrolments(
    tx,
    app,
    daemon(first.workspace_id),
    completed.map((position) => position.id),
    { status: 'completed' },
  );
  // Those that ended while their mail was on its way kept the campaign open until now.
  const ended = positions.filter((position) => position.status !== 'active');
  await completeCampaigns(
    tx,
    app,
    ended.map((position) => position.campaign_id),
  );
}
