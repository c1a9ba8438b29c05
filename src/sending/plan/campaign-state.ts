import type { SendingWindow } from '../../campaigns/index.ts';

/** Contacts of a campaign that share a sending window. */
export interface Group {
  /** Group B of an A/B test; contacts without a group belong to the others. */
  isB: boolean;
  /** Time zones of its contacts, `''` for contacts without one; null if the campaign's time zone applies to all. */
  zones: readonly string[] | null;
  window: SendingWindow;
  /** Number of due emails, counted up to the size of a batch. */
  due: number;
  /** Time at which the next email becomes due; null if none will. */
  nextDue: Date | null;
}

/** A campaign that sends from the account, with its due emails. */
export interface CampaignState {
  id: number;
  /** Time zone of its calendar days. */
  timezone: string;
  /** Region whose public holidays are no business days; none by default. */
  holidays?: string | null;
  startsAt: Date | null;
  groups: readonly Group[];
}

/** Finds the group of a contact; undefined if no group has a known time zone for it. */
export const groupOf = <Some extends Pick<Group, 'isB' | 'zones'>>(
  groups: readonly Some[],
  contact: { variant: 'A' | 'B' | null; timezone: string | null },
): Some | undefined =>
  groups.find(({ isB, zones }) => isB === (contact.variant === 'B') && (zones === null || zones.includes(contact.timezone ?? '')));
