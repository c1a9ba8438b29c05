import type { App } from '../../app.ts';
import { isKnownZone } from '../../core/zone.ts';
import { type Queryable, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { openCalls } from '../calls/open-calls.ts';
import { publishCallChange } from '../calls/publish.ts';
import { waitForCalls } from '../enrolments/due.ts';
import { contactZone } from '../schedule/contact-zone.ts';
import { type CampaignSchedule, campaignWindow, windowColumns } from '../schedule/next-send.ts';
import { isOpen } from '../schedule/window.ts';
import { hasStarted, isRunning } from '../states/campaign.ts';
import { isDue } from '../states/enrolment.ts';
import { isLiveStep } from '../states/step.ts';

const BATCH_SIZE = 500;

/**
 * Opens a task for every call step that is due in an active campaign whose window is open, so that no contact is called at night. The
 * enrolment then waits for its task (its `due_at` is null). A task that was cancelled when the enrolment ended is reopened. Several daemons
 * may run this at the same time.
 * @returns the number of tasks opened
 */
export async function openDueCalls(app: App): Promise<number> {
  const groups = await openGroups(app.db, app.clock.now());
  if (groups.length === 0) return 0;
  for (let opened = 0; ; ) {
    const batch = await app.db.tx((tx) => openBatch(tx, groups, app.clock.now()));
    opened += batch;
    if (batch < BATCH_SIZE) return opened;
  }
}

/**
 * From and where clauses for enrolments with a due call. A call is never step 1, so contacts who wait for their first email are not read.
 */
const dueCalls = (now: Date): Sql => sql`
  campaigns c
  join steps s on s.campaign_id = c.id and ${isLiveStep('s', 'call')}
  join enrolments e on e.campaign_id = c.id and e.current_step = s.step_order and ${isDue('e', now)} and e.last_sent_step > 0
  where ${isRunning('c')} and ${hasStarted('c', now)}`;

/** Enrolments of a campaign that share a window. */
type Group = CampaignSchedule & { campaign_id: number; zone: string; half: 'A' | 'B' };

/** Reads the groups with due calls whose window is open. Indexes: campaigns_active, steps_live_order, enrolments_active. */
async function openGroups(db: Queryable, now: Date): Promise<Group[]> {
  const groups = await db.query<Group>(sql`
    select distinct c.id as campaign_id, coalesce(e.timezone, '') as zone, coalesce(e.variant, 'A') as half, e.variant,
      ${contactZone('e', 'c')} as contact_timezone, ${windowColumns('c')}
    from ${dueCalls(now)}`);
  return groups.filter((group) => {
    const window = campaignWindow(group);
    return isKnownZone(window.timezone) && isOpen(window, now);
  });
}

/** Opens up to `BATCH_SIZE` tasks of these groups. Indexes: as for `openGroups`. */
async function openBatch(tx: Tx, groups: readonly Group[], now: Date): Promise<number> {
  const rows = await tx.query<{ id: number }>(sql`
    with due as (
      select e.id, e.workspace_id, e.campaign_id, e.due_at, s.id as step_id
      from ${dueCalls(now)} and (c.id, coalesce(e.timezone, ''), coalesce(e.variant, 'A')) in (
        select * from unnest(${groups.map((group) => group.campaign_id)}::int[], ${groups.map((group) => group.zone)}::text[],
          ${groups.map((group) => group.half)}::text[]))
      limit ${BATCH_SIZE} for no key update of e skip locked
    ), waiting as (${waitForCalls('due', now)})
    ${openCalls('due', now)}`);
  await publishCallChange(
    tx,
    'task.due',
    rows.map((row) => row.id),
    now,
  );
  return rows.length;
}
