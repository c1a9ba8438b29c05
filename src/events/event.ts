/** Types of the event log; the API allows no others. */
export const EVENT_TYPES = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'enrolled', 'unsubscribed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event that is not logged yet. */
export interface NewEvent {
  workspaceId: number;
  campaignId: number;
  contactId: number;
  enrolmentId: number;
  type: EventType;
  /** Order of the step that the event belongs to; otherwise the last step sent, or 1 if none was. */
  stepOrder: number;
  /** URL that was clicked; null for every other type. */
  url?: string | null;
  /** Details for troubleshooting, such as the SMTP reply or the beginning of an inbound reply. Not part of the API record. */
  details?: Record<string, unknown> | null;
  at: Date;
}
