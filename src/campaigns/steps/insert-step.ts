import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockSequence } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { makeRoomForStep } from '../enrolments/renumber.ts';
import { rescheduleStep } from '../enrolments/reschedule.ts';
import { createStep, type NewStep } from './change-steps.ts';

/**
 * Inserts a step before the one at a position, in a rotation group in every campaign; at the end it is appended. Contacts who wait for the
 * step at that position get the new one first, after its wait. Contacts who are past it, or whose email of it is on its way, never get the
 * new one. The caller makes sure that step 1 is not a call and that there are not too many steps. Throws `not_found`.
 */
export async function insertStep(app: App, caller: Caller, campaignId: number, position: number, input: NewStep): Promise<void> {
  await app.db.tx(async (tx) => {
    for (const member of await lockSequence(tx, caller, campaignId)) await insertInto(tx, app, caller, member, position, input);
  });
}

async function insertInto(tx: Tx, app: App, caller: Caller, campaignId: number, position: number, input: NewStep): Promise<void> {
  const now = app.clock.now();
  const later = await tx.query<{ id: number; step_order: number }>(sql`
    select id, step_order from steps where campaign_id = ${campaignId} and step_order >= ${position} and deleted_at is null
    order by step_order desc`);
  const next = later.at(-1);
  if (next !== undefined) await makeRoomForStep(tx, campaignId, { id: next.id, order: position }, now);
  // One by one in descending order, because the unique index is checked row by row.
  for (const { id } of later) await tx.query(sql`update steps set step_order = step_order + 1 where id = ${id}`);
  await createStep(tx, app, caller, campaignId, position, input);
  if (next === undefined) return;
  await rescheduleStep(tx, campaignId, position);
  await wakeCampaign(tx, campaignId, now);
}
