import { z } from 'zod';
import { HOURS } from '../../campaigns/index.ts';
import { pastEventMessages } from '../../events/index.ts';
import { HTTPS_URL } from '../../fields/exact-text.ts';
import { bodyId, dataOf, filledLine, instantText, nameText, pageOf, pageQuery, pathId, trueOrFalse } from '../../fields/fields.ts';
import {
  changeWebhook,
  createWebhook,
  DELIVERY_STATUSES,
  deleteWebhook,
  FORMATS,
  getDelivery,
  getWebhook,
  listDeliveries,
  listEventTypes,
  listWebhooks,
  redeliver,
  replay,
  requireWebhook,
  rotateWebhookSecret,
  SUBSCRIBED_TYPES,
  testWebhook,
  WEBHOOK_TYPES,
} from '../../webhooks/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { delivery, eventType, webhook, withSecret } from './webhook-schema.ts';

const tags = ['Webhooks'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireWebhook(app.db, caller, ids.id ?? 0);
const deliveryTarget = ({ app, caller }: RequestContext, ids: Record<string, number>) =>
  getDelivery(app.db, caller, ids.delivery_id ?? 0, ids.id ?? 0);
/** Reading needs it too, because a webhook shows where data of the workspace is sent. */
const access = 'write' as const;
const computed = ['id', 'disabled_reason', 'last_success_at', 'last_failure_at', 'consecutive_failures', 'created_at', 'updated_at'];

const url = z
  .string('must be a string')
  .max(2_048, 'at most 2,048 characters')
  .meta({ id: 'ReceiverUrl', format: 'uri', pattern: HTTPS_URL });
const typesOf = (known: readonly string[], id: string) =>
  z.array(z.string('must be a string').meta({ id, enum: known })).max(WEBHOOK_TYPES.length, `at most ${WEBHOOK_TYPES.length}`);
const fields = {
  name: nameText.optional(),
  types: typesOf(SUBSCRIBED_TYPES, 'SubscribedType').optional(),
  campaign_ids: z.array(bodyId).max(1_000, 'at most 1,000').optional(),
  include_body: trueOrFalse.optional(),
  format: z.enum(FORMATS).optional(),
  labels: z.array(filledLine(50)).max(50, 'at most 50').optional().meta({ example: [] }),
  quiet_hours: z
    .string(HOURS.fault)
    .regex(HOURS.pattern, HOURS.fault)
    .refine((text) => new Set(text.split('-')).size === 2, 'the two hours must differ')
    .meta({ pattern: HOURS.documented })
    .nullable()
    .optional(),
  is_enabled: trueOrFalse.optional(),
};
const onWebhook = z.strictObject({ id: pathId });

export const webhooksRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/webhooks', tags, summary: 'List your webhooks, or all of them as an admin' }, access })
    .input(z.strictObject(pageQuery))
    .output(pageOf(webhook))
    .query(({ ctx: { app, caller }, input }) => listWebhooks(app.db, caller, input)),

  eventTypes: procedure
    .meta({ openapi: { method: 'GET', path: '/webhooks/event-types', tags, summary: 'List the types of messages' }, access })
    .input(z.strictObject({}))
    .output(dataOf(eventType))
    .query(() => ({ data: listEventTypes() })),

  create: procedure
    .meta({
      openapi: { method: 'POST', path: '/webhooks', tags, summary: 'Create a webhook; its secret is only in this response' },
      access,
      status: 201,
      readOnly: computed,
      errors: { 409: 'The workspace already has 50 webhooks' },
    })
    .input(z.strictObject({ url, ...fields }))
    .output(withSecret)
    .mutation(({ ctx: { app, caller }, input }) => createWebhook(app, caller, input)),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/webhooks/{id}', tags, summary: 'Read a webhook' }, access, target })
    .input(onWebhook)
    .output(webhook)
    .query(({ ctx: { app, caller }, input }) => getWebhook(app.db, caller, input.id)),

  update: procedure
    .meta({
      openapi: { method: 'PATCH', path: '/webhooks/{id}', tags, summary: 'Change a webhook, or turn it off or on' },
      access,
      readOnly: computed,
      target,
    })
    .input(z.strictObject({ id: pathId, url: url.optional(), ...fields }))
    .output(webhook)
    .mutation(({ ctx: { app, caller }, input: { id, ...patch } }) => changeWebhook(app, caller, id, patch)),

  delete: procedure
    .meta({ openapi: { method: 'DELETE', path: '/webhooks/{id}', tags, summary: 'Delete a webhook' }, access, status: 204, target })
    .input(onWebhook)
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => deleteWebhook(app, caller, input.id)),

  test: procedure
    .meta({
      openapi: { method: 'POST', path: '/webhooks/{id}/test', tags, summary: 'Send a test message now; the response says how it went' },
      access,
      callsOut: true,
      target,
    })
    .input(onWebhook)
    .output(delivery)
    .mutation(({ ctx: { app, caller }, input }) => testWebhook(app, caller, input.id)),

  rotateSecret: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhooks/{id}/rotate-secret',
        tags,
        summary: 'Replace the secret; the old one also signs for 24 hours',
      },
      access,
      target,
    })
    .input(onWebhook)
    .output(withSecret)
    .mutation(({ ctx: { app, caller }, input }) => rotateWebhookSecret(app, caller, input.id)),

  deliveries: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/webhooks/{id}/deliveries',
        tags,
        summary: 'List the deliveries that are kept, 30 days by default, newest first',
      },
      access,
      target,
    })
    .input(
      z.strictObject({
        id: pathId,
        status: z.enum(DELIVERY_STATUSES).describe('Only deliveries with this status').optional(),
        type: z
          .enum(WEBHOOK_TYPES as [string, ...string[]], 'must be a type of webhook')
          .describe('Only messages of this type')
          .optional(),
        since: instantText.describe('Only deliveries created at or after this time').optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(delivery))
    .query(({ ctx: { app, caller }, input: { id, status, type, since, ...page } }) =>
      listDeliveries(app.db, caller, id, { status, type, since }, page),
    ),

  redeliver: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
        tags,
        summary: 'Deliver a message again, with the same webhook-id',
      },
      access,
      target: deliveryTarget,
      errors: { 409: 'The webhook is disabled' },
    })
    .input(z.strictObject({ id: pathId, delivery_id: pathId }))
    .output(delivery)
    .mutation(({ ctx: { app, caller }, input }) => redeliver(app, caller, input.delivery_id, input.id)),

  redeliverOne: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhooks/deliveries/{delivery_id}/redeliver',
        tags,
        summary: 'Deliver a message again, named by its delivery alone',
      },
      access,
      target: ({ app, caller }, ids) => getDelivery(app.db, caller, ids.delivery_id ?? 0),
      errors: { 409: 'The webhook is disabled' },
    })
    .input(z.strictObject({ delivery_id: pathId }))
    .output(delivery)
    .mutation(({ ctx: { app, caller }, input }) => redeliver(app, caller, input.delivery_id)),

  replay: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/webhooks/{id}/replay',
        tags,
        summary: 'Deliver the messages of a period again, and those that were missed',
      },
      access,
      target,
      errors: { 409: 'The webhook is disabled' },
    })
    .input(
      z.strictObject({
        id: pathId,
        since: instantText,
        until: instantText.optional(),
        types: typesOf(WEBHOOK_TYPES, 'MessageType').optional(),
        only_failed: trueOrFalse.optional(),
      }),
    )
    .output(z.object({ queued: z.number().int() }))
    .mutation(({ ctx: { app, caller }, input: { id, ...span } }) => replay(app, caller, id, span, pastEventMessages)),
});
