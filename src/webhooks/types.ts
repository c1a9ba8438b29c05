import { invalid } from '../core/errors.ts';
import { declarationOf, EVENT_TYPES, EVENTS, type EventType } from '../core/event-types.ts';

/** Type of the test message, which needs no subscription. */
export const TEST_TYPE = 'webhook.test';

/** Messages about changes of state, with their descriptions, and the test. */
const CHANGES = {
  'campaign.activated': 'A campaign was started or resumed',
  'campaign.paused': 'A campaign was paused, by a person or because its account was',
  'campaign.completed': 'A campaign was completed: no contacts are left in its sequence',
  'campaign.reopened': 'A completed campaign is active again, because contacts were enrolled',
  'account.paused': 'An account stopped sending, with the reason',
  'account.resumed': 'An account sends again',
  'account.limit_reached': 'An account reached its daily limit, and emails wait until its next day',
  'account.health_changed': 'The health of an account changed: good, watch or stop',
  'task.due': 'A call is due',
  'task.done': 'A call was made or skipped',
  'contact.suppressed': 'An address was suppressed: no more emails are sent to it',
  'reply.received': 'A reply came in, of any kind',
  'reply.answered': 'An answer to a reply was accepted by the mail server',
  'reply.reclassified': 'A person corrected the kind of a reply, and its effect was redone',
  'reply.labelled': 'The label of a reply was set, changed or removed',
  [TEST_TYPE]: 'Sent by the test command, regardless of the subscribed types',
} as const;

/** Every message type with its description: events of the event log, then changes of state. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EVENT_TYPES.map((type) => [`event.${type}`, EVENTS[type].text])),
  ...CHANGES,
};
export type MessageType = `event.${EventType}` | keyof typeof CHANGES;

export const WEBHOOK_TYPES: readonly string[] = Object.keys(DESCRIPTIONS);

/** The types that a webhook can subscribe to. */
export const SUBSCRIBED_TYPES: readonly string[] = WEBHOOK_TYPES.filter((type) => type !== TEST_TYPE);

/** Types that can occur thousands of times an hour: sent only to webhooks that list them. */
export const HIGH_VOLUME_TYPES: readonly string[] = EVENT_TYPES.filter((type) => declarationOf(type).isHighVolume).map(
  (type) => `event.${type}`,
);

/** Throws `invalid_request` for a type that is not in `known`. */
export function requireTypes(types: readonly string[], known: readonly string[]): void {
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) throw invalid(`types: unknown type "${unknown}"; known types: ${known.join(', ')}`);
}

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
