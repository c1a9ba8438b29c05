interface EventDeclaration {
  /** Describes what happened; also the description of the webhook message. */
  text: string;
  /** The colour of its lines on the dashboard. */
  color?: 'green' | 'cyan' | 'blue' | 'red' | 'yellow';
  /** The values of `counts_as` in totals, if they differ from the type. */
  countsAs?: readonly string[];
  /** It can occur thousands of times an hour: sent only to webhooks that list it. */
  isHighVolume?: true;
}

/**
 * The event types of the API. It allows no others. Each is a webhook message `event.TYPE`, a field of searches, a filter of feeds and a
 * value of `counts_as`, from which `events/measures.ts` makes the measures of reports.
 */
export const EVENTS = {
  sent: { text: 'An email was accepted by the mail server', isHighVolume: true },
  opened: { text: 'A person opened an email', color: 'blue', isHighVolume: true },
  clicked: { text: 'A person followed a link', color: 'cyan', isHighVolume: true },
  replied: { text: 'A person replied', color: 'green' },
  // Returned after the server had accepted the email, or refused by it.
  bounced: { text: 'An email bounced permanently', color: 'red', countsAs: ['returned', 'refused'] },
  failed: { text: 'An email could not be sent', color: 'red' },
  enrolled: { text: 'A contact was enrolled in a campaign' },
  unsubscribed: { text: 'A recipient unsubscribed', color: 'yellow' },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** Returns the declaration of a type, with its optional fields. */
export const declarationOf = (type: EventType): EventDeclaration => EVENTS[type];
