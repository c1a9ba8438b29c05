import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { type ContactDetails, ENROLMENT_STATUSES, getContactDetails } from '../../campaigns/index.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';
import { pageOf, pageQuery, pathId, timestampText, untrusted } from '../../fields/fields.ts';
import { REPLY_KINDS, readTimeline, type TimelineEntry } from '../../replies/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { verificationSchema } from './verification-schema.ts';

const tags = ['Contacts'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'contacts', ids.id ?? 0);

const details = z
  .object({
    contact_id: z.number().int(),
    suppressions: z
      .array(
        z.object({
          email: z.string().meta({ description: 'The address, or its domain as `@example.com`', example: 'ada@example.org' }),
          reason: z.string().nullable().meta({ example: 'unsubscribed' }),
          source: z
            .string()
            .nullable()
            .meta({ description: 'The user who added it, the reply, or `another workspace`', example: 'zoe@example.com' }),
          created_at: timestampText,
        }),
      )
      .meta({ description: 'Those that apply to the contact; empty: it may be emailed' }),
    verification: verificationSchema.nullable().meta({ description: 'Null if the address was never checked' }),
    lists: z.array(z.object({ id: z.number().int(), name: z.string().meta({ example: 'Spring fair' }) })),
    campaigns: z.array(
      z.object({
        campaign_id: z.number().int(),
        campaign_name: z.string(),
        status: z.enum(ENROLMENT_STATUSES),
        current_step: z.number().int(),
        next_send_at: timestampText.nullable(),
        account_email: z.string().meta({ example: 'zoe@example.com' }),
        variant: z.enum(['A', 'B']).nullable(),
        stop_reason: z
          .string()
          .nullable()
          .meta({ ...untrusted, example: null, description: 'After a bounce, what the server said' }),
        held_until: timestampText.nullable().meta({ example: null }),
        hold_reason: z
          .string()
          .nullable()
          .meta({ ...untrusted, example: null, description: 'Why no email is sent until then, or until that changes' }),
      }),
    ),
  })
  .meta({ id: 'ContactDetails' }) satisfies z.ZodType<ContactDetails>;

const entry = z
  .object({
    at: timestampText,
    type: z.enum(['email', 'answer', 'call', ...REPLY_KINDS, ...EVENT_TYPES]).meta({
      description:
        'email: of a step; answer: one of a person, to a reply; call: one that was made or skipped; a reply by its kind; else an event',
    }),
    campaign_id: z.number().int(),
    campaign_name: z.string(),
    step_order: z.number().int(),
    account_email: z.string().nullable().meta({ example: 'zoe@example.com', description: 'Null for an event and a call' }),
    reply_id: z.number().int().nullable().meta({ example: null }),
    subject: z
      .string()
      .nullable()
      .meta({ ...untrusted, example: 'A question, Ada' }),
    text: z
      .string()
      .nullable()
      .meta({
        ...untrusted,
        example: 'Hello Ada, …',
        description: 'What was sent or written, or the note on a call; null for an event, and where it was erased',
      }),
    because: z.string().nullable().meta({
      example: null,
      description: 'Of a reply: why its author is taken for the contact, a colleague or somebody else',
    }),
    url: z.string().nullable().meta({ example: null, description: 'The link that was followed' }),
    state: z
      .enum(['queued', 'sent', 'unknown', 'failed', 'done', 'skipped'])
      .nullable()
      .meta({ example: 'sent', description: 'Of an email or answer; of a call done or skipped; else null' }),
    error: z
      .string()
      .nullable()
      .meta({ ...untrusted, example: null, description: 'What the server said' }),
  })
  .meta({ id: 'TimelineEntry' }) satisfies z.ZodType<TimelineEntry>;

/** Everything about one contact besides its record. */
export const contactPagesRouter = router({
  details: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/contacts/{id}/details',
        tags,
        summary: 'Read where a contact stands: suppressions, the check of its address, lists and campaigns',
      },
      target,
    })
    .input(z.strictObject({ id: pathId }))
    .output(details)
    .query(({ ctx: { app, caller }, input }) => getContactDetails(app, caller, input.id)),

  timeline: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/contacts/{id}/timeline',
        tags,
        summary: 'List what happened with a contact, newest first',
        description:
          'Emails with the text that was sent, opens, clicks, replies and answers, and calls that were made, with their notes, in the campaigns that the key can see.',
      },
      target,
    })
    .input(z.strictObject({ id: pathId, ...pageQuery }))
    .output(pageOf(entry))
    .query(({ ctx: { app, caller }, input: { id, ...page } }) => readTimeline(app.db, caller, id, page)),
});
