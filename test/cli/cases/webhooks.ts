import { z } from 'zod';
import { at, type CommandCase, id, pageOf } from './case.ts';
import { delivery, none, type World, webhook } from './world.ts';

const row = z.strictObject({
  ...{ id, name: z.string(), url: z.url(), types: z.array(z.string()), campaign_ids: z.array(id), include_body: z.boolean() },
  ...{ format: z.literal('json'), labels: z.array(z.string()), quiet_hours: z.string().nullable() },
  ...{ is_enabled: z.boolean(), disabled_reason: z.string().nullable(), last_success_at: at.nullable(), last_failure_at: at.nullable() },
  ...{ consecutive_failures: z.int(), created_at: at, updated_at: at },
});
const withSecret = row.extend({ secret: z.string().regex(/^whsec_[\w+/]+=*$/) });
const sent = z.strictObject({
  ...{ id, webhook_id: id, message_id: z.string(), type: z.string(), event_id: id.nullable() },
  ...{ status: z.enum(['pending', 'delivered', 'failed']), attempts: z.int(), next_attempt_at: at.nullable() },
  ...{ last_attempt_at: at.nullable(), response_status: z.int().nullable(), response: z.string().nullable() },
  ...{ error: z.string().nullable(), duration_ms: z.int().nullable(), created_at: at },
});

const env = () => ({ OUTREACH_WEBHOOKS_ALLOW_PRIVATE: 'true' });
const onOne = async (world: World) => [await webhook(world)];

/** Commands about webhooks. */
export const webhooksCases: Record<string, CommandCase> = {
  'webhook add': {
    args: () => ['https://93.184.215.14/hook', '--events', 'event.replied', '--name', 'CRM'],
    json: withSecret,
    human: /^ {2}whsec_\S+$/m,
  },
  'webhook deliveries': {
    args: async (world) => [await delivery(world, 'webhook')],
    json: pageOf(sent),
    human: /^ID +CREATED \(UTC\) +TYPE/,
  },
  'webhook disable': { args: onOne, json: row.extend({ is_enabled: z.literal(false) }), human: /^Webhook \d+ was disabled\.$/m },
  'webhook enable': { args: onOne, json: row.extend({ is_enabled: z.literal(true) }), human: /^Webhook \d+ was enabled\.$/m },
  'webhook list': { args: async (world) => none(webhook(world)), json: pageOf(row), human: /^ID +NAME +URL/ },
  'webhook remove': { args: onOne, json: z.strictObject({ id }), human: /^Webhook \d+ was removed\.$/m },
  'webhook replay': { args: async (world) => [await delivery(world, 'delivery')], json: sent, human: /^Delivery \d+ was queued again/ },
  'webhook rotate-secret': { args: onOne, json: withSecret, human: /^ {2}whsec_\S+$/m },
  'webhook show': { args: onOne, json: row, human: /^Posts to +http:\/\/127\.0\.0\.1/m },
  'webhook test': {
    args: onOne,
    env,
    json: sent.extend({ status: z.literal('delivered') }),
    human: /^Delivered: the receiver returned 204 after \d+ ms\.$/m,
  },
};
