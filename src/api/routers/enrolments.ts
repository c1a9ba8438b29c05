import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { ENROLMENT_STATUSES, findEnrolment, listCampaignsOfContact, listEnrolments, SKIP_REASONS } from '../../campaigns/index.ts';
import { grouped } from '../../core/english.ts';
import { bodyId, dataOf, instantText, pageOf, pageQuery, pathId, textBoolean, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { searchText } from './contact-schema.ts';

const state = {
  status: z.enum(ENROLMENT_STATUSES),
  current_step: z.number().int(),
  next_send_at: timestampText.nullable().meta({ description: 'The earliest time at which the next email may be sent' }),
};
const enrolment = z.object({ contact_id: z.number().int(), name: z.string(), email: z.string(), ...state }).meta({ id: 'Enrolment' });
const contactCampaign = z.object({ campaign_id: z.number().int(), campaign_name: z.string(), ...state }).meta({ id: 'ContactCampaign' });

const skipped = z
  .object({ contact_id: z.number().int(), reason: z.enum(SKIP_REASONS).meta({ example: 'already_enrolled' }) })
  .meta({ id: 'SkippedContact' });

const MAX_CONTACT_IDS = 10_000;
const MAX_LIST_IDS = 100;
const idsUpTo = (max: number) =>
  z
    .array(bodyId, 'must be an array of integers')
    .max(max, `at most ${grouped(max)} ids`)
    .optional();

/** Chooses contacts of a campaign by their ids or by a search. */
const chosen = {
  id: pathId,
  contact_ids: idsUpTo(MAX_CONTACT_IDS),
  // Left out of the example, which has `contact_ids` instead.
  q: searchText.optional().meta({ examples: [] }),
};
const changedMany = z.object({
  changed: z.number().int().meta({ example: 12 }),
  unchanged: z.number().int().meta({ example: 3, description: 'Those who are not active or not in the campaign' }),
});
const MANY =
  'Takes `contact_ids`, or `q` for those of its contacts in the campaign; in a rotation group, in all of its campaigns. ' +
  'At most 10,000 at once, in one transaction.';

const one = z.strictObject({ id: pathId, contact_id: pathId });
const campaignTarget = (ctx: RequestContext, ids: Record<string, number>) =>
  requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0);
const enrolmentTarget = (ctx: RequestContext, ids: Record<string, number>) =>
  findEnrolment(ctx.app, ctx.caller, ids.id ?? 0, ids.contact_id ?? 0);

const changes = () => import('./enrolment-changes.ts');
export const enrolmentsRouter = router({
  list: procedure
    .meta({
      openapi: { method: 'GET', path: '/campaigns/{id}/contacts', tags: ['Enrolment'], summary: 'List the contacts that are enrolled' },
      target: campaignTarget,
    })
    .input(
      z.strictObject({
        id: pathId,
        status: z.enum(ENROLMENT_STATUSES).describe('Only contacts whose enrolment has this status').optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(enrolment))
    .query(({ ctx: { app, caller }, input: { id, ...page } }) => listEnrolments(app, caller, id, page)),

  enrol: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/contacts',
        tags: ['Enrolment'],
        summary: 'Enrol contacts and lists',
        description:
          'Takes contacts, lists, or both. Contacts that are already enrolled, deleted or archived are skipped without error; ' +
          '`details=true` names them, 10,000 at most.',
      },
      access: 'write',
      query: ['details'],
      target: campaignTarget,
    })
    .input(
      z.strictObject({
        id: pathId,
        contact_ids: idsUpTo(MAX_CONTACT_IDS),
        list_ids: idsUpTo(MAX_LIST_IDS),
        details: textBoolean.describe('true: name the contacts that were skipped, with the reason').optional(),
      }),
    )
    .output(z.object({ enrolled: z.number().int(), skipped: z.array(skipped).optional() }))
    .mutation(async ({ ctx: { app, caller }, input: { id, details = false, ...wanted } }) =>
      (await changes()).enrol(app, caller, id, wanted, { details }),
    ),

  stop: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/contacts/{contact_id}/stop',
        tags: ['Enrolment'],
        summary: 'Stop sending to a contact',
      },
      access: 'write',
      target: enrolmentTarget,
    })
    .input(one)
    .output(enrolment)
    .mutation(async ({ ctx: { app, caller }, input }) =>
      (await changes()).stopEnrolment(app, caller, await findEnrolment(app, caller, input.id, input.contact_id)),
    ),

  resume: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/contacts/{contact_id}/resume',
        tags: ['Enrolment'],
        summary: 'Resume an enrolment that ended, at the next step',
      },
      access: 'write',
      target: enrolmentTarget,
      errors: { 409: 'The contact is suppressed, archived or deleted, or has completed every step' },
    })
    .input(one)
    .output(enrolment)
    .mutation(async ({ ctx: { app, caller }, input }) =>
      (await changes()).resumeEnrolment(app, caller, await findEnrolment(app, caller, input.id, input.contact_id)),
    ),

  hold: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/contacts/{contact_id}/hold',
        tags: ['Enrolment'],
        summary: 'Hold an enrolment until a given time',
      },
      access: 'write',
      target: enrolmentTarget,
    })
    .input(one.extend({ until: instantText }))
    .output(enrolment)
    .mutation(async ({ ctx: { app, caller }, input }) =>
      (await changes()).holdEnrolment(app, caller, await findEnrolment(app, caller, input.id, input.contact_id), input.until),
    ),

  stopMany: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/contacts/stop',
        tags: ['Enrolment'],
        summary: 'Stop sending to many contacts',
        description: `${MANY} Those who are active are stopped.`,
      },
      access: 'write',
      isHeavy: true,
      target: campaignTarget,
    })
    .input(z.strictObject(chosen))
    .output(changedMany)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...wanted } }) => (await changes()).stopContacts(app, caller, id, wanted)),

  holdMany: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/contacts/hold',
        tags: ['Enrolment'],
        summary: 'Hold many enrolments until a given time',
        description: `${MANY} Those who are active are held.`,
      },
      access: 'write',
      isHeavy: true,
      target: campaignTarget,
    })
    .input(z.strictObject({ ...chosen, until: instantText }))
    .output(changedMany)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...wanted } }) => (await changes()).holdContacts(app, caller, id, wanted)),

  listOfContact: procedure
    .meta({
      openapi: { method: 'GET', path: '/contacts/{id}/campaigns', tags: ['Contacts'], summary: 'List the campaigns of a contact' },
      target: ({ app, caller }, ids) => requireVisible(app.db, caller, 'contacts', ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(dataOf(contactCampaign))
    .query(({ ctx: { app, caller }, input }) => listCampaignsOfContact(app, caller, input.id)),
});
