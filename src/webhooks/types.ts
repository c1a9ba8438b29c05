/** What `test` sends; it needs no subscription. */
export const TEST_TYPE = 'webhook.test';

/** Every type of message, in words: what the event log holds, changes of state, and the test. */
const DESCRIPTIONS = {
  'event.sent': 'A mail was accepted by the mail server',
  'event.opened': 'A person opened a mail',
  'event.clicked': 'A person followed a link',
  'event.replied': 'A person replied',
  'event.bounced': 'A mail came back for good',
  'event.failed': 'A mail could not be sent',
  'event.enrolled': 'A contact was enrolled in a campaign',
  'event.unsubscribed': 'A recipient wants no more mail',
  'campaign.activated': 'A campaign was started or goes on',
  'campaign.paused': 'A campaign was paused, by a person or with its account',
  'campaign.completed': 'A campaign has nothing left to do',
  'campaign.reopened': 'A completed campaign goes on, because contacts were enrolled',
  'account.paused': 'A mailbox stopped sending, with the reason',
  'account.resumed': 'A mailbox sends again',
  'task.due': 'A call is due',
  'task.done': 'A call was made or skipped',
  'contact.suppressed': 'An address is not written to any more',
  [TEST_TYPE]: 'Sent by the test command, whatever the webhook asks for',
} as const;
export type MessageType = keyof typeof DESCRIPTIONS;

export const WEBHOOK_TYPES: readonly string[] = Object.keys(DESCRIPTIONS);

/** Types of which there can be thousands an hour: sent only to webhooks that name them. */
export const HIGH_VOLUME_TYPES: readonly string[] = ['event.sent', 'event.opened', 'event.clicked'] satisfies MessageType[];

export interface EventTypeRow {
  type: string;
  description: string;
  /** Sent only to webhooks that name it. */
  is_high_volume: boolean;
}

export function listEventTypes(): EventTypeRow[] {
  return Object.entries(DESCRIPTIONS).map(([type, description]) => ({
    type,
    description,
    is_high_volume: HIGH_VOLUME_TYPES.includes(type),
  }));
}
