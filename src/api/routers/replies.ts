import { z } from 'zod';
import {
  bodyId,
  filledLine,
  instantText,
  MAX_ID,
  pageOf,
  pageQuery,
  pathId,
  singleLine,
  textBoolean,
  textInteger,
  trueOrFalse,
} from '../../fields/fields.ts';
import { listReplies, listRepliesAfter, requireReply } from '../../replies/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { answerFields, detailsSchema, kind, replySchema } from './reply-schema.ts';

const oneReply = () => import('./one-reply.ts');
const marks = () => import('./reply-marks.ts');
const changes = () => import('./reply-changes.ts');
const tags = ['Replies'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireReply(app.db, caller, ids.id ?? 0);
const onReply = z.strictObject({ id: pathId });
const labelText = filledLine(50, { empty: 'must not be empty; null takes the label off' });
const UNASKED = 'Nothing is to be decided about this reply';
const computed = Object.keys(detailsSchema.shape).filter((name) => !['label', 'is_read', 'assigned_to', 'later_until'].includes(name));

export const repliesRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/replies',
        tags,
        summary: 'List replies, newest first',
        description:
          'Those that wait for a decision on removal, and those that were put off until now, come first. ' +
          'Without `kind`: those that people wrote, of the kinds reply and colleague. `after_id` follows what comes in, ' +
          'ascending by id: ask again with the last id of the list, and each reply comes once, even if another was recorded before it. ' +
          'With `q` or `after_id`, `total` is exact up to 1,000; beyond, it is greater than the end of the page as long as more follow.',
      },
    })
    .input(
      z.strictObject({
        kind: kind.describe('Only replies of this kind').optional(),
        campaign_id: pathId.describe('Only replies to this campaign').optional(),
        contact_id: pathId.describe('Only replies to emails to this contact').optional(),
        account_id: pathId.describe('Only replies to emails of this account').optional(),
        label: labelText.meta({ description: 'Only replies with this label', example: 'interested' }).optional(),
        is_read: textBoolean.describe('true: only read ones; false: only unread ones').optional(),
        assigned_to: pathId.describe('Only replies that are assigned to this user').optional(),
        has_draft: textBoolean.describe('true: only replies to which an answer is drafted; false: only others').optional(),
        since: instantText.describe('Only replies received at or after this time').optional(),
        q: singleLine(255)
          .pipe(z.string().min(1, 'must not be empty'))
          .describe('Words that all occur in sender, subject or what the author wrote; the beginning of a word is enough')
          .optional(),
        after_id: textInteger(
          { min: 0, max: MAX_ID },
          'Only replies recorded after the one with this id, ascending by id; 0: all',
        ).optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(replySchema))
    .query(({ ctx: { app, caller }, input: { limit, offset, ...query } }) => {
      const { after_id: afterId, ...filter } = query;
      const {
        campaign_id: campaignId,
        contact_id: contactId,
        account_id: accountId,
        is_read: isRead,
        assigned_to: assignedTo,
        has_draft: hasDraft,
        ...rest
      } = filter;
      const asked = { ...rest, campaignId, contactId, accountId, isRead, assignedTo, hasDraft };
      const page = { limit, offset };
      return afterId === undefined
        ? listReplies(app.db, caller, asked, page)
        : listRepliesAfter(app.db, caller, { ...asked, afterId }, page);
    }),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/replies/{id}', tags, summary: 'Read a reply with its text and its thread' }, target })
    .input(onReply)
    .output(detailsSchema)
    .query(async ({ ctx: { app, caller }, input }) => (await oneReply()).getReply(app.db, caller, input.id)),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/replies/{id}',
        tags,
        summary: 'Label a reply, mark it as read, put it off, or assign it to a user',
      },
      access: 'write',
      readOnly: computed,
      target,
    })
    .input(
      z.strictObject({
        id: pathId,
        label: labelText.nullable().optional(),
        is_read: trueOrFalse.optional(),
        assigned_to: bodyId.nullable().optional(),
        later_until: instantText
          .nullable()
          .optional()
          .meta({ description: 'When it comes back to the top, unread; it is marked as read until then' }),
      }),
    )
    .output(detailsSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...patch } }) => (await marks()).changeReply(app, caller, id, patch)),

  answer: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/replies/{id}/answer',
        tags,
        summary: 'Answer a reply',
        description:
          'Queues the answer, which a daemon sends within seconds, or at `send_at`: from the account that was answered, in the thread, with its ' +
          'signature and the reply quoted below. It counts for the day of the account; the state and the windows of the campaign do not matter. ' +
          '`thread` has it with its state; `answered_at` is set, and `reply.answered` published, when the mail server has accepted it. Give `body_html` or `text`.',
      },
      access: 'write',
      errors: { 409: "The address is suppressed, the account can't send now, or the sender was not kept" },
      target,
    })
    .input(
      z.strictObject({
        id: pathId,
        ...answerFields,
        send_at: instantText.optional().meta({
          description: 'When it is sent, in the future and at most a year ahead; at once if it is left out',
          example: '2026-02-14T08:00:00Z',
        }),
        even_if_suppressed: trueOrFalse.optional().meta({ description: 'true: also to an address that is suppressed' }),
      }),
    )
    .output(detailsSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...answer } }) => (await changes()).answerReply(app, caller, id, answer)),

  reclassify: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/replies/{id}/reclassify',
        tags,
        summary: 'Correct the kind of a reply, and redo its effect',
        description:
          'Events, statistics, enrolments, holds and suppressions become those that the right kind would have led to: a person who was taken ' +
          'for an autoresponder ends the sequence, an autoresponder that was taken for a person lets it go on. The kind that it has already changes nothing.',
      },
      access: 'write',
      target,
    })
    .input(z.strictObject({ id: pathId, kind }))
    .output(detailsSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).reclassifyReply(app, caller, input.id, input.kind)),

  confirmOptOut: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/replies/{id}/confirm-opt-out',
        tags,
        summary: 'Confirm that a reply asks to be removed',
        description: 'Suppresses the address, as a removal request does. Only for a reply with `may_ask_to_be_removed`.',
      },
      access: 'write',
      errors: { 409: UNASKED },
      target,
    })
    .input(onReply)
    .output(detailsSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).decideRemoval(app, caller, input.id, true)),

  dismissOptOut: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/replies/{id}/dismiss-opt-out',
        tags,
        summary: 'Say that a reply does not ask to be removed',
        description: 'Its contact goes on exactly where they were in every other campaign. Only for a reply with `may_ask_to_be_removed`.',
      },
      access: 'write',
      errors: { 409: UNASKED },
      target,
    })
    .input(onReply)
    .output(detailsSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).decideRemoval(app, caller, input.id, false)),
});
