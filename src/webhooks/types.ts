import { CHANGE_TYPES, EVENT_TYPES, HIGH_VOLUME_TYPES } from '../events/index.ts';

/** What `test` sends; it needs no subscription. */
export const TEST_TYPE = 'webhook.test';

/** Everything that can be told. */
export const WEBHOOK_TYPES: readonly string[] = [...EVENT_TYPES.map((type) => `event.${type}`), ...CHANGE_TYPES, TEST_TYPE];

export interface EventTypeRow {
  type: string;
  description: string;
  /** Told only to webhooks that name it. */
  is_high_volume: boolean;
}

const WORDS: Record<string, string> = {
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
};

export function listEventTypes(): EventTypeRow[] {
  return WEBHOOK_TYPES.map((type) => ({
    type,
    description: WORDS[type] ?? type,
    is_high_volume: (HIGH_VOLUME_TYPES as readonly string[]).includes(type),
  }));
}
