/** Everything that is logged of a campaign; a closed list. */
export const EVENT_TYPES = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'enrolled', 'unsubscribed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Something that happened to a contact in a campaign, not logged yet. */
export interface NewEvent {
  workspaceId: number;
  campaignId: number;
  contactId: number;
  enrolmentId: number;
  type: EventType;
  /** The step it belongs to. Events without one of their own take the last step sent, or 1 before any. */
  stepOrder: number;
  /** The address that was clicked; null for every other type. */
  url?: string | null;
  /** What a person who looks into it wants to know (the server's answer, a reply's first words). Not part of the API record. */
  details?: Record<string, unknown> | null;
  at: Date;
}
