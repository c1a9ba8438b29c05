/** Writes to tables of others that are still to be moved to their owners. */
export const KNOWN_WRITES: readonly string[] = [];

/** States of others that statements still spell. */
export const KNOWN_STATES: readonly string[] = [
  'src/contacts/search/event-fields.ts spells call_tasks.status',
  'src/demo/pass-time.ts spells accounts.status',
  'src/demo/run.ts spells inbound_messages.verdict',
  'src/inbound/poll.ts spells campaigns.status',
  'src/live/account-lines.ts spells accounts.status',
  'src/live/campaign-lines.ts spells campaigns.status',
  'src/live/campaign-lines.ts spells enrolments.status',
  'src/live/campaign-progress.ts spells enrolments.status',
  'src/live/event-tail.ts spells events.type',
  'src/live/finished-counts.ts spells enrolments.status',
  'src/main/install.ts spells memberships.role',
  'src/maintenance/restore.ts spells campaigns.status',
  'src/maintenance/restore.ts spells accounts.status',
  'src/maintenance/restore.ts spells accounts.pause_reason',
];
