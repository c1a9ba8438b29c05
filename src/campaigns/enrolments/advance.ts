import type { App } from '../../app.ts';
import { prepared, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { cancelCallsIn } from '../calls/cancel-calls.ts';
import { endOfWait } from '../schedule/wait.ts';
import type { EnrolmentStatus } from '../states/enrolment.ts';
import { noteCause } from './subsequences.ts';

/** A completed step: an email that the server accepted, or a call that was done or skipped. */
export interface CompletedStep {
  enrolmentId: number;
  stepOrder: number;
  at: Date;
  /** The account that sent the email; null for a call. */
  sentFrom: number | null;
}

interface Position {
  id: number;
  campaign_id: number;
  status: EnrolmentStatus;
  timezone: string;
  holidays: string | null;
  done_step: number;
  next_step: number | null;
  /** The wait of the next step; null if there is none. */
  wait_days: number | null;
  wait_hours: number | null;
  business_days: boolean | null;
  /** True if the enrolment continued before the delivery of this email was known. */
  is_past: boolean;
}

/**
 * Moves each enrolment to its next live step, due when its wait after the completed one is over by the campaign's calendar, or completes it
 * if no step is left. An enrolment that has ended in the meantime stays ended and only records the email. One that continued while the
 * delivery of the email was unknown keeps its position.
 * A call step becomes due like an email step; `openDueCalls` creates its task.
 * @param alongside starts statements that need the enrolments locked but not their new rows; they are sent together with the updates
 * @returns ids of campaigns that may be finished. Pass them to `completeCampaigns` after logging events, because enrolments are locked
 * before statistics
 */
export async function advanceEnrolments(
  tx: Tx,
  app: App,
  completed: readonly CompletedStep[],
  alongside: () => Promise<unknown>[] = () => [],
): Promise<number[]> {
  if (completed.length === 0) return [];
  const stepOf = new Map(completed.map((step) => [step.enrolmentId, step]));
  const positions = await lockPositions(tx, [...stepOf.values()]);
  const moved = positions.map((position) => newPosition(position, stepOf.get(position.id) as CompletedStep));
  const finished = positions.filter(({ status, next_step, is_past }) => status === 'active' && next_step === null && !is_past);
  await Promise.all([
    writePositions(tx, app, moved),
    noteCause(
      tx,
      finished.map(({ id }) => id),
      'finished',
      app.clock.now(),
    ),
    ...alongside(),
  ]);
  // Enrolments that ended while their email was in flight kept the campaign from completing until now.
  return positions
    .filter((position) => position.status !== 'active' || position.next_step === null)
    .map((position) => position.campaign_id);
}

/** Changes to the row of an enrolment; null leaves a column unchanged. */
interface NewPosition {
  id: number;
  is_over: boolean;
  next_step: number | null;
  due_at: Date | null;
  sent_from: number | null;
  sent_at: Date | null;
  sent_step: number | null;
}

function newPosition(position: Position, { at, sentFrom }: CompletedStep): NewPosition {
  const isAtStep = position.status === 'active' && !position.is_past;
  const continues = isAtStep && position.next_step !== null;
  const isSent = sentFrom !== null && !position.is_past;
  return {
    id: position.id,
    is_over: isAtStep && !continues,
    next_step: continues ? position.next_step : null,
    due_at: continues ? endOfWait(at, waitOf(position), position) : null,
    sent_from: isSent ? sentFrom : null,
    sent_at: isSent ? at : null,
    // Never 0, which would mean that nothing was sent: step 1 may be deleted while its email is in flight.
    sent_step: isSent ? Math.max(position.done_step, 1) : null,
  };
}

const waitOf = ({ wait_days, wait_hours, business_days }: Position) => ({
  wait_days: wait_days ?? 0,
  wait_hours: wait_hours ?? 0,
  business_days: business_days ?? false,
});

/**
 * Updates each enrolment only once, because every new row version adds an entry to each of its indexes. Cancels the pending calls of
 * enrolments that complete.
 */
async function writePositions(tx: Tx, app: App, moved: readonly NewPosition[]): Promise<void> {
  const now = app.clock.now();
  await tx.query(
    prepared(
      'write-moves',
      sql`
    with m as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
        as m (id int, is_over boolean, next_step int, due_at timestamptz, sent_from int, sent_at timestamptz, sent_step int)
    ), cancelled as (
      ${cancelCallsIn('m', now)}
    )
    update enrolments e set current_step = coalesce(m.next_step, e.current_step), account_id = coalesce(m.sent_from, e.account_id),
      status = case when m.is_over then 'completed' else e.status end,
      stop_reason = case when m.is_over then null else e.stop_reason end,
      due_at = case when m.is_over then null else coalesce(m.due_at, e.due_at) end,
      hold_kind = case when not m.is_over and m.due_at is null then e.hold_kind end,
      content_fault = case when not m.is_over and m.due_at is null then e.content_fault end,
      content_version = case when not m.is_over and m.due_at is null then e.content_version end,
      held_until = case when not m.is_over or e.held_by is not null then e.held_until end,
      hold_reason = case when e.held_until > ${now} and (not m.is_over or e.held_by is not null) or not m.is_over and m.sent_from is null then e.hold_reason end,
      last_sent_at = greatest(e.last_sent_at, m.sent_at), last_sent_step = coalesce(m.sent_step, e.last_sent_step),
      soft_bounces = case when m.sent_from is null then e.soft_bounces else 0 end, failures = 0, updated_at = ${now}
    from m where e.id = m.id and e.id = any((select ${moved.map(({ id }) => id)}::int[])::int[])`,
    ),
  );
}

/**
 * Locks the enrolments in id order and reads their current and next live steps. The step of an email is looked up in the outbox, because
 * steps may be renumbered or deleted while the email is in flight. Indexes: enrolments_pkey, outbox_enrolment_id_step_id_key,
 * steps_live_order.
 */
function lockPositions(tx: Tx, completed: readonly CompletedStep[]): Promise<Position[]> {
  return tx.query<Position>(
    prepared(
      'lock-positions',
      sql`
    select e.id, e.campaign_id, e.status, c.timezone, c.holidays, coalesce(d.step_order, m.step_order) as done_step,
      n.step_order as next_step, n.wait_days, n.wait_hours, n.business_days, coalesce(d.is_past, false) as is_past
    from unnest((select ${completed.map((step) => step.enrolmentId)}::int[]), (select ${completed.map((step) => step.stepOrder)}::int[]),
      (select ${completed.map((step) => step.sentFrom !== null)}::boolean[])) as m (enrolment_id, step_order, is_email)
    join enrolments e on e.id = m.enrolment_id
    join campaigns c on c.id = e.campaign_id
    left join lateral (
      select s.step_order - (s.deleted_at is not null)::int as step_order, o.continued_at is not null as is_past
      from outbox o join steps s on s.id = o.step_id
      where m.is_email and o.enrolment_id = e.id and o.step_order = m.step_order order by o.id desc limit 1) d on true
    left join lateral (
      select s.step_order, s.wait_days, s.wait_hours, s.business_days from steps s
      where s.campaign_id = e.campaign_id and s.deleted_at is null and s.step_order > coalesce(d.step_order, m.step_order)
      order by s.step_order limit 1) n on true
    order by e.id for no key update of e`,
    ),
  );
}
