import { z } from 'zod';
import { instantText, pageOf, pageQuery, pathId, trueOrFalse } from '../../fields/fields.ts';
import { getDraft, listDrafts, replyOfDraft, requireReply } from '../../replies/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { answerFields, detailsSchema, draftSchema } from './reply-schema.ts';

const changes = () => import('./draft-changes.ts');
const tags = ['Replies'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => replyOfDraft(app.db, caller, ids.id ?? 0);
const onDraft = z.strictObject({ id: pathId });
const sendAt = instantText.nullable().optional().describe('When it is sent if it is approved before, at most a year ahead; null: at once');
const computed = ['reply_id', 'campaign_id', 'contact_id', 'to', 'body_text', 'created_by', 'created_at', 'updated_at'];

export const draftRouter = router({
  answer: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/replies/{id}/drafts',
        tags,
        summary: 'Draft an answer to a reply',
        description:
          'Stores the answer. Nothing is sent before a person approves it. A key with the scope `drafts` can do this; changing, approving and ' +
          'discarding a draft needs `write`. Give `body_html` or `text`.',
      },
      access: 'drafts',
      status: 201,
      target: ({ app, caller }, ids) => requireReply(app.db, caller, ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId, ...answerFields, send_at: sendAt }))
    .output(draftSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...answer } }) => (await changes()).draftAnswer(app, caller, id, answer)),

  list: procedure
    .meta({ openapi: { method: 'GET', path: '/drafts', tags, summary: 'List drafted answers that wait for approval, oldest first' } })
    .input(z.strictObject(pageQuery))
    .output(pageOf(draftSchema))
    .query(({ ctx: { app, caller }, input }) => listDrafts(app.db, caller, input)),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/drafts/{id}', tags, summary: 'Read a drafted answer' }, target })
    .input(onDraft)
    .output(draftSchema)
    .query(({ ctx: { app, caller }, input }) => getDraft(app.db, caller, input.id)),

  update: procedure
    .meta({
      openapi: { method: 'PATCH', path: '/drafts/{id}', tags, summary: 'Change a drafted answer' },
      access: 'write',
      readOnly: computed,
      target,
    })
    .input(z.strictObject({ id: pathId, ...answerFields, send_at: sendAt }))
    .output(draftSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...patch } }) => (await changes()).changeDraft(app, caller, id, patch)),

  approve: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/drafts/{id}/approve',
        tags,
        summary: 'Approve a drafted answer, which is sent',
        description: 'It becomes an answer like that of `POST /replies/{id}/answer`, under the same conditions.',
      },
      access: 'write',
      errors: { 409: "The address is suppressed, the account can't send now, or the sender was not kept" },
      target,
    })
    .input(
      z.strictObject({
        id: pathId,
        even_if_suppressed: trueOrFalse.optional().meta({ description: 'true: also to an address that is suppressed' }),
      }),
    )
    .output(detailsSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).approveDraft(app, caller, input.id, input.even_if_suppressed)),

  remove: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/drafts/{id}', tags, summary: 'Discard a drafted answer' },
      access: 'write',
      status: 204,
      target,
    })
    .input(onDraft)
    .output(z.void())
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).discardDraft(app, caller, input.id)),
});
