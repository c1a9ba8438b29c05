export { dueWebhooks } from './claim.ts';
export { deliverWebhook } from './deliver.ts';
export {
  DELIVERY_STATUSES,
  type DeliveryFilter,
  type DeliveryRow,
  type DeliveryStatus,
  listDeliveries,
  pruneDeliveries,
  type ReplayInput,
  redeliver,
  replay,
} from './deliveries.ts';
export { Webhook } from './entities.ts';
export { createPoster, type Poster } from './post.ts';
export { retireWebhooks } from './retire.ts';
export { testWebhook } from './test-webhook.ts';
export { listEventTypes, WEBHOOK_TYPES } from './types.ts';
export { getWebhook, listWebhooks, type WebhookRow } from './webhook.ts';
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  type WebhookInput,
  type WebhookWithSecret,
} from './webhooks.ts';
