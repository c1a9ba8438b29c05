import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { getStep, getStepTiming, listSteps, STEP_KINDS, type StepRow } from '../../campaigns/index.ts';
import { dataOf, htmlText, pathId, singleLine, trueOrFalse } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const changes = () => import('./step-changes.ts');
const stepSchema = z
  .object({
    id: z.number().int(),
    step_order: z.number().int(),
    subject: z.string(),
    body_html: z.string(),
    subject_b: z.string().nullable(),
    body_html_b: z.string().nullable(),
    wait_days: z.number().int(),
    kind: z.enum(STEP_KINDS),
  })
  .meta({ id: 'Step' }) satisfies z.ZodType<StepRow>;

const tags = ['Steps'];
const ofCampaign = ({ app, caller }: RequestContext, ids: Record<string, number>) =>
  requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);
const ofStep = ({ app, caller }: RequestContext, ids: Record<string, number>) => getStep(app.db, caller, ids.id ?? 0, ids.step_id ?? 0);

const subject = singleLine(500).meta({
  description: 'Used by step 1; later steps reply in the same thread',
  example: 'A question, {{name}}',
});
const waitDays = z.number('must be an integer').int('must be an integer').min(0, 'must be 0 or more').max(365, 'must be at most 365');

const timing = {
  wait_hours: z
    .number('must be an integer')
    .int('must be an integer')
    .min(0, 'must be 0 or more')
    .max(720, 'must be at most 720')
    .meta({ description: 'Added to `wait_days`', example: 0 }),
  business_days: trueOrFalse.meta({
    description: '`wait_days` counts Monday to Friday, without holidays',
    example: false,
  }),
};
const stepOptions = z.object({ step_id: z.number().int(), ...timing }).meta({ id: 'StepOptions' });

const place = z
  .number('must be an integer')
  .int('must be an integer')
  .min(1, 'must be 1 or more')
  .max(50, 'must be at most 50')
  .meta({ description: 'Its new number, from 1', example: 1 });

export const stepsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/campaigns/{id}/steps', tags, summary: 'List the steps of a campaign' }, target: ofCampaign })
    .input(z.strictObject({ id: pathId }))
    .output(dataOf(stepSchema))
    .query(async ({ ctx: { app, caller }, input }) => ({ data: await listSteps(app.db, caller, input.id) })),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/steps',
        tags,
        summary: 'Append a step',
        description: 'A call step contains notes for the call and cannot be step 1.',
      },
      access: 'write',
      status: 201,
      readOnly: ['step_order'],
      target: ofCampaign,
    })
    .input(
      z.strictObject({
        id: pathId,
        body_html: htmlText,
        subject: subject.default(''),
        subject_b: subject.nullable().default(null),
        body_html_b: htmlText.nullable().default(null),
        wait_days: waitDays.default(0),
        kind: z.enum(STEP_KINDS, 'must be email or call').default('email'),
        wait_hours: timing.wait_hours.optional(),
        business_days: timing.business_days.optional(),
      }),
    )
    .output(stepSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...step } }) => (await changes()).addStep(app, caller, id, step)),

  update: procedure
    .meta({
      openapi: { method: 'PATCH', path: '/campaigns/{id}/steps/{step_id}', tags, summary: 'Change a step; null removes the B variant' },
      access: 'write',
      readOnly: ['step_order', 'kind'],
      target: ofStep,
    })
    .input(
      z.strictObject({
        id: pathId,
        step_id: pathId,
        body_html: htmlText.optional(),
        subject: subject.optional(),
        subject_b: subject.nullable().optional(),
        body_html_b: htmlText.nullable().optional(),
        wait_days: waitDays.optional(),
        wait_hours: timing.wait_hours.optional(),
        business_days: timing.business_days.optional(),
      }),
    )
    .output(stepSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, step_id, ...patch } }) =>
      (await changes()).changeStep(app, caller, id, step_id, patch),
    ),

  getOptions: procedure
    .meta({
      openapi: { method: 'GET', path: '/campaigns/{id}/steps/{step_id}/options', tags, summary: 'Read the options of a step' },
      target: ofStep,
    })
    .input(z.strictObject({ id: pathId, step_id: pathId }))
    .output(stepOptions)
    .query(async ({ ctx: { app, caller }, input: { id, step_id } }) => ({
      step_id,
      ...(await getStepTiming(app.db, caller, id, step_id)),
    })),

  setOptions: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/campaigns/{id}/steps/{step_id}/options',
        tags,
        summary: 'Change options of a step',
        description: 'Contacts who wait for the step wait accordingly from now on. In a rotation group it applies to all campaigns.',
      },
      access: 'write',
      readOnly: ['step_id'],
      target: ofStep,
    })
    .input(z.strictObject({ id: pathId, step_id: pathId, ...z.object(timing).partial().shape }))
    .output(stepOptions)
    .mutation(async ({ ctx: { app, caller }, input: { id, step_id, ...patch } }) => {
      await (await changes()).changeStep(app, caller, id, step_id, patch);
      return { step_id, ...(await getStepTiming(app.db, caller, id, step_id)) };
    }),

  move: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/steps/{step_id}/move',
        tags,
        summary: 'Move a step to another place of the sequence',
        description: 'Works before a contact reaches one of the steps that change places. In a rotation group it applies to all campaigns.',
      },
      access: 'write',
      target: ofStep,
      errors: { 409: 'A contact has reached one of the steps, or a call would become step 1' },
    })
    .input(z.strictObject({ id: pathId, step_id: pathId, step_order: place }))
    .output(dataOf(stepSchema))
    .mutation(async ({ ctx: { app, caller }, input }) => ({
      data: await (await changes()).moveStep(app, caller, input.id, input.step_id, input.step_order),
    })),

  delete: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/campaigns/{id}/steps/{step_id}',
        tags,
        summary: 'Delete a step; its contacts continue with the next one',
      },
      access: 'write',
      status: 204,
      target: ofStep,
      errors: { 409: 'Step 2 is a call and cannot become step 1' },
    })
    .input(z.strictObject({ id: pathId, step_id: pathId }))
    .output(z.void())
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).deleteStep(app, caller, input.id, input.step_id)),
});
