/** Type of the test message, which needs no subscription. */
export const TEST_TYPE = 'webhook.test';

/** Every message type with its description: events of the event log, changes of state, and the test. */
const DESCRIPTIONS = {
  'event.sent': 'An email was accepted by the mail server',
  'event.opened': 'A person opened an email',
  'event.clicked': 'A person followed a link',
  'event.replied': 'A person replied',
  'event.bounced': 'An email bounced permanently',
  'event.failed': 'An email could not be sent',
  'event.enrolled': 'A contact was enrolled in a campaign',
  'event.unsubscribed': 'A recipient unsubscribed',
  'campaign.activated': 'A campaign was started or resumed',
  'campaign.paused': 'A campaign was paused, by a person or because its account was',
  'campaign.completed': 'A campaign was completed: no contacts are left in its sequence',
  'campaign.reopened': 'A completed campaign is active again, because contacts were enrolled',
  'account.paused': 'An account stopped sending, with the reason',
  'account.resumed': 'An account sends again',
  'task.due': 'A call is due',
  'task.done': 'A call was made or skipped',
  'contact.suppressed': 'An address was suppressed: no more emails are sent to it',
  'reply.received': 'A reply came in, of any kind',
  'reply.answered': 'An answer to a reply was accepted by the mail server',
  'reply.reclassified': 'A person corrected the kind of a reply, and its effect was redone',
  'reply.labelled': 'The label of a reply was set, changed or taken off',
  [TEST_TYPE]: 'Sent by the test command, whatever types the webhook subscribes to',
} as const;
export type MessageType = keyof typeof DESCRIPTIONS;

export const WEBHOOK_TYPES: readonly string[] = Object.keys(DESCRIPTIONS);

/** The types that a webhook can subscribe to. */
export const SUBSCRIBED_TYPES: readonly string[] = WEBHOOK_TYPES.filter((type) => type !== TEST_TYPE);

/** Types that can occur thousands of times an hour: sent only to webhooks that list them. */
export const HIGH_VOLUME_TYPES: readonly string[] = ['event.sent', 'event.opened', 'event.clicked'] satisfies MessageType[];

export interface EventTypeRow {
  type: string;
  description: string;
  /** Sent only to webhooks that list it. */
  is_high_volume: boolean;
}

export function listEventTypes(): EventTypeRow[] {
  return Object.entries(DESCRIPTIONS).map(([type, description]) => ({
    type,
    description,
    is_high_volume: HIGH_VOLUME_TYPES.includes(type),
  }));
}
