import type { EventType } from '../core/event-types.ts';

/** Facts about an email that only reports count, each once per email: a machine fetched its image or a link, or a program answered it. */
export const EMAIL_MARKS = ['machine_opened', 'machine_clicked', 'auto_replied'] as const;
export type EmailMark = (typeof EMAIL_MARKS)[number];

/** An event that is not logged yet. */
export interface NewEvent {
  workspaceId: number;
  campaignId: number;
  contactId: number;
  enrolmentId: number;
  type: EventType | EmailMark;
  /** Order of the step that the event belongs to. If it belongs to none, the last step sent, or 1 if none was sent. */
  stepOrder: number;
  /** Id in the outbox of the email that the event is about. By default the enrolment's last email of that step, if there is one. */
  emailId?: number | undefined;
  /** URL that was clicked; null for every other type. */
  url?: string | null;
  /** Details for troubleshooting, such as the SMTP reply or the beginning of an inbound reply. Not part of the API record. */
  details?: Record<string, unknown> | null;
  at: Date;
}
