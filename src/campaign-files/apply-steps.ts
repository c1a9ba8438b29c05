import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import {
  changeStep,
  deleteStep,
  hasBeenSent,
  insertStep,
  listSteps,
  type StepRow,
  type StepTiming,
  setAttachments,
  stepTimings,
} from '../campaigns/index.ts';
import type { NamedFile } from '../uploads/attachments.ts';
import { isSameContent, type MatchedStep, matchSteps } from './match-steps.ts';
import { FieldMistake, mistakeOf } from './mistakes.ts';
import type { StepContent } from './values.ts';

/**
 * Gives a campaign the steps of a file. Steps that are in both keep the record of who has received them. New steps are inserted first and
 * missing ones deleted afterwards, so that no contact completes in between. Throws a `FieldMistake` for a step that moved after emails were
 * sent, because contacts would get it twice or never.
 */
export async function applySteps(
  app: App,
  caller: Caller,
  campaignId: number,
  steps: readonly StepContent[],
  attachments: readonly (readonly NamedFile[])[],
): Promise<void> {
  const matched = matchSteps(await presentSteps(app, caller, campaignId), steps);
  await refuseMoves(app, campaignId, matched, steps);
  for (const [index, { present, declared }] of matched.entries()) {
    const step = declared === undefined ? undefined : steps[declared];
    if (present === undefined && step !== undefined) await insertStep(app, caller, campaignId, index + 1, step);
  }
  for (const { present, declared } of matched.toReversed())
    if (present !== undefined && declared === undefined) await deleteStep(app, caller, campaignId, present.id);
  for (const [index, { id, kind }] of (await listSteps(app.db, caller, campaignId)).entries()) {
    const step = steps[index];
    if (step !== undefined) await changeStep(app, caller, campaignId, id, patchOf(kind, step));
    if (kind === 'email') await attach(app, caller, campaignId, id, index, attachments[index] ?? []);
  }
}

async function attach(app: App, caller: Caller, campaignId: number, id: number, index: number, files: readonly NamedFile[]): Promise<void> {
  try {
    await setAttachments(app, caller, campaignId, id, files);
  } catch (error) {
    const mistake = mistakeOf(error, '');
    throw mistake === undefined ? error : new FieldMistake(`steps[${index}].attachments`, mistake.message.replace(/^\w+: /, ''));
  }
}

/** A call also has the fields of an email, which are not shown; they stay unchanged. */
function patchOf(kind: StepRow['kind'], { kind: _, ...content }: StepContent): Partial<StepContent> {
  if (kind === 'email') return content;
  const { body_html, wait_days, wait_hours, business_days } = content;
  return { body_html, wait_days, wait_hours, business_days };
}

async function presentSteps(app: App, caller: Caller, campaignId: number): Promise<(StepRow & StepTiming)[]> {
  const timings = await stepTimings(app.db, campaignId);
  const steps = await listSteps(app.db, caller, campaignId);
  return steps.map((step) => ({ wait_hours: 0, business_days: false, ...step, ...timings.get(step.id) }));
}

async function refuseMoves(
  app: App,
  campaignId: number,
  matched: readonly MatchedStep<StepRow & StepTiming>[],
  steps: readonly StepContent[],
): Promise<void> {
  const deleted = matched.flatMap(({ present, declared }) => (present !== undefined && declared === undefined ? [present] : []));
  for (const { present, declared } of matched) {
    const step = present === undefined && declared !== undefined ? steps[declared] : undefined;
    const moved = step && deleted.find((each) => isSameContent(each, step));
    if (moved !== undefined && (await hasBeenSent(app.db, campaignId)))
      throw new FieldMistake(
        `steps[${declared}]`,
        `step ${moved.step_order} can't be moved once emails were sent, since contacts would get it twice or never; change its text if it is to be sent again`,
      );
  }
}
