import { z } from 'zod';
import { timestampText, untrusted } from '../../fields/fields.ts';
import { DELIVERY_STATUSES, FORMATS, type WebhookRow } from '../../webhooks/index.ts';

/** A webhook in the API. */
export const webhook = z
  .object({
    id: z.number().int(),
    name: z.string().meta({ example: 'Replies to the CRM' }),
    url: z.string().meta({ example: 'https://crm.example.com/hooks' }),
    types: z.array(z.string()).meta({ example: ['event.replied'], description: 'Empty: every type except those of high volume' }),
    campaign_ids: z.array(z.number().int()).meta({ description: 'Empty: every campaign that its creator can see' }),
    include_body: z.boolean().meta({ description: 'Send the whole text of replies, not only the first 500 characters' }),
    format: z.enum(FORMATS).meta({ example: 'json', description: 'json: signed JSON; the others: a notice for a chat' }),
    labels: z
      .array(z.string())
      .meta({ example: [], description: 'Of messages about replies, only those with one of these labels; empty: all' }),
    quiet_hours: z
      .string()
      .nullable()
      .meta({ example: '22-7', description: 'Hours in the zone of the workspace in which its messages wait; null: none' }),
    is_enabled: z.boolean(),
    disabled_reason: z.string().nullable(),
    last_success_at: timestampText.nullable(),
    last_failure_at: timestampText.nullable(),
    consecutive_failures: z.number().int(),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({ id: 'Webhook' }) satisfies z.ZodType<WebhookRow>;

/** A webhook with its secret. */
export const withSecret = webhook
  .extend({ secret: z.string().meta({ description: 'whsec_…, shown only once' }) })
  .meta({ id: 'WebhookWithSecret' });

/** A message on its way to a webhook. */
export const delivery = z
  .object({
    id: z.number().int(),
    webhook_id: z.number().int(),
    message_id: z.string().meta({ example: 'msg_01JK8Z4T9Q', description: 'The webhook-id header' }),
    type: z.string().meta({ example: 'event.replied' }),
    event_id: z.number().int().nullable(),
    status: z.enum(DELIVERY_STATUSES).meta({ example: 'delivered' }),
    attempts: z.number().int(),
    next_attempt_at: timestampText.nullable(),
    last_attempt_at: timestampText.nullable(),
    response_status: z.number().int().nullable(),
    response: z.string().nullable().meta(untrusted),
    error: z.string().nullable().meta(untrusted),
    duration_ms: z.number().int().nullable(),
    created_at: timestampText,
  })
  .meta({ id: 'Delivery' });

/** A type of messages. */
export const eventType = z.object({
  type: z.string().meta({ example: 'event.replied' }),
  description: z.string().meta({ example: 'A contact replied' }),
  is_high_volume: z.boolean(),
});
