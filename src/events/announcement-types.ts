/** What is told beside the events of the log: changes of state. */
export const CHANGE_TYPES = [
  'campaign.activated',
  'campaign.paused',
  'campaign.completed',
  'campaign.reopened',
  'account.paused',
  'account.resumed',
  'task.due',
  'task.done',
  'contact.suppressed',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Types of which there can be thousands an hour: told only to those who ask for them by name. */
export const HIGH_VOLUME_TYPES = ['event.sent', 'event.opened', 'event.clicked'] as const;
