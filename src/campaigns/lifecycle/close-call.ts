import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { grouped } from '../../core/english.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { lockCall, recordOutcome } from '../calls/calls.ts';
import { completeCampaigns } from '../campaign/completion.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { advanceEnrolments } from '../enrolments/advance.ts';

const MAX_NOTE = 2_000;

/**
 * Closes a call as done or skipped, and moves the enrolment on to its next step. Throws `not_found`, `conflict` for a call
 * that is already closed, and `invalid_request` for a note that is too long.
 */
export async function closeCall(
  app: App,
  caller: Caller,
  id: number,
  input: { outcome: 'done' | 'skipped'; note: string | null },
): Promise<void> {
  if (input.note !== null && input.note.length > MAX_NOTE) throw invalid(`note: at most ${grouped(MAX_NOTE)} characters`);
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const call = await lockCall(tx, caller, id);
    if (call.status !== 'pending') throw conflict(`call ${id} is already ${call.status}`);
    await recordOutcome(tx, caller, call, input, now);
    const completed = { enrolmentId: call.enrolment_id, stepOrder: call.step_order, at: now, sentFrom: null };
    await completeCampaigns(tx, app, await advanceEnrolments(tx, app, [completed]));
    await wakeCampaign(tx, call.campaign_id, now);
  });
}
